"""A visitor without a browser: speaks the framework's own protocol with a running app.

What a browser sends and reads: the page and its health check over HTTP, the forged-request cookie,
one websocket with BackMsg and ForwardMsg messages, uploads and downloads at the addresses that the
server gives. Nothing is drawn and no script of the page runs, so thirty of them fit on one core.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from websockets.asyncio.client import ClientConnection, connect

COOKIE = "_streamlit_xsrf"
PATIENCE = 120.0
"""Seconds until an answer that does not come is an error."""


class VisitError(AssertionError):
    """The app did not do what it does for a person in a browser."""


class Visitor:
    """One browser tab; ``watch`` sees every byte that arrives, messages and downloads."""

    def __init__(self, url: str, watch: Callable[[bytes], None] = lambda data: None) -> None:
        self.url = url.rstrip("/")
        self.watch = watch
        self.elements: dict[tuple[int, ...], tuple[Element, str]] = {}  # by its place
        self.session = ""
        self.received = 0
        self._page, self._query, self._script = "", "", ""
        self._states: dict[str, WidgetState] = {}
        self._components: dict[str, tuple[BidiComponent, str]] = {}  # by name, with its fragment
        self._cookie = ""
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._again: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Condition()
        self._answers: dict[str, ForwardMsg] = {}
        self._runs = 0
        self._running = False

    # Coming and going

    async def arrive(self, page: str = "", query: str = "") -> None:
        """Load a page by its own link and wait until it is drawn."""
        self._page, self._query = page, query
        await self._get(self._link())
        await self._get(f"{self.url}/_stcore/host-config")
        self._cookie = await asyncio.to_thread(self._take_cookie)
        parts = urlsplit(self.url)
        self._socket = await connect(
            f"ws://{parts.netloc}{parts.path}/_stcore/stream",
            subprotocols=["streamlit", self._cookie],  # type: ignore[list-item]
            additional_headers={"Cookie": f"{COOKIE}={self._cookie}"},
            origin=f"{parts.scheme}://{parts.netloc}",  # type: ignore[arg-type]
            max_size=None,
            compression=None,
        )
        self._reading = asyncio.create_task(self._read(self._socket))
        await self._run(self._rerun())

    async def leave(self) -> None:
        """Close the tab."""
        for each in self._again.values():
            each.cancel()
        if self._socket is not None:
            await self._socket.close()
        if self._reading is not None:
            await self._reading

    # Using widgets

    async def type(self, label: str, text: str) -> None:
        await self._use(self.widget("text_input", label), string_value=text)

    async def choose(self, label: str, options: Sequence[str]) -> None:
        box = self.widget("multiselect", label)
        unknown = [option for option in options if option not in box.options]
        if unknown:
            raise VisitError(f"{label}: no option {unknown} among {list(box.options)}")
        await self._use(box, string_array_value=options)

    async def slide(self, label: str, to: float | str) -> None:
        """Move a slider to a number, or to the option of that text."""
        slider = self.widget("slider", label)
        if isinstance(to, str):
            await self._use(slider, string_array_value=[to])
        else:
            await self._use(slider, double_array_value=[to])

    async def press(self, label: str) -> None:
        await self._use(self.widget("button", label), trigger_value=True)

    async def upload(self, label: str, name: str, data: bytes) -> None:
        field = self.widget("file_uploader", label)
        asked = BackMsg()
        asked.file_urls_request.request_id = request = uuid.uuid4().hex
        asked.file_urls_request.file_names.append(name)
        asked.file_urls_request.session_id = self.session
        urls = (await self._ask(asked, request)).file_urls_response.file_urls[0]
        await asyncio.to_thread(self._put, urls.upload_url, name, data)
        info = UploadedFileInfo(name=name, size=len(data), file_id=urls.file_id, file_urls=urls)
        await self._use(field, file_uploader_state_value=[info])

    async def download(self, label: str) -> bytes:
        """Press a download button; the bytes."""
        return await self.fetch(await self.ask_for(label))

    async def ask_for(self, label: str) -> str:
        """Press a download button; where the file can be fetched."""
        button = self.widget("download_button", label)
        asked = BackMsg()
        asked.backend_operation_request.request_id = request = uuid.uuid4().hex
        asked.backend_operation_request.session_id = self.session
        asked.backend_operation_request.deferred_file.file_id = button.deferred_file_id
        answer = (await self._ask(asked, request)).backend_operation_response
        if answer.error_msg:
            raise VisitError(f"download {label}: {answer.error_msg}")
        return self._address(answer.deferred_file.url)

    async def fetch(self, address: str) -> bytes:
        data = await self._get(address)
        self.watch(data)
        return data

    async def trigger(self, component: str, event: str, value: object) -> None:
        """What a component's script tells the server; it waits for no answer."""
        drawn, fragment = self._components[component]
        name = f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{drawn.id}{EVENT_DELIM}events"
        told = json.dumps([{"event": event, "value": value}])
        message = self._rerun(fragment)
        message.rerun_script.widget_states.widgets.append(
            WidgetState(id=name, json_trigger_value=told)
        )
        await self._send(message)

    async def redraw(self) -> None:
        """Have the whole page drawn once more."""
        await self._run(self._rerun())

    # What is to be seen

    def widget(self, kind: str, label: str) -> Any:
        """The one widget of that kind and label."""
        found = [
            widget
            for element, _ in self.elements.values()
            if element.WhichOneof("type") == kind
            and (widget := getattr(element, kind)).label == label
        ]
        if len(found) != 1:
            raise VisitError(f"{len(found)} of {kind} {label!r}")
        return found[0]

    def data(self, component: str) -> dict[str, Any]:
        """What the server handed last to the script of that component; empty before it was drawn.
        A page keeps it over runs that do not come to it.
        """
        if component not in self._components:
            return {}
        data: dict[str, Any] = json.loads(self._components[component][0].json)
        return data

    def texts(self, kind: str) -> list[str]:
        """Texts of all elements of that kind, such as alert or markdown."""
        return [
            getattr(element, kind).body
            for element, _ in self.elements.values()
            if element.WhichOneof("type") == kind
        ]

    async def until(self, seen: Callable[[], bool], what: str) -> None:
        """Wait until that is to be seen and the server rests."""
        if not await self.sees(lambda: seen() and not self._running, PATIENCE):
            raise VisitError(f"waited {PATIENCE:.0f} s for {what}")

    async def sees(self, seen: Callable[[], bool], seconds: float) -> bool:
        """Wait until that is to be seen, in the midst of a run or not; whether it came so soon."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self._lost() or seen())
        except TimeoutError:
            return False
        self._check()
        return True

    # The protocol

    def _lost(self) -> bool:
        return self._reading is None or self._reading.done()

    def _check(self) -> None:
        if self._lost():
            raise VisitError("the connection was lost")
        wrong = [e.exception.type for e, _ in self.elements.values() if e.HasField("exception")]
        if wrong:
            raise VisitError(f"the page shows {wrong}")

    async def _use(self, widget: Any, **value: Any) -> None:
        state = WidgetState(id=widget.id)
        for name, content in value.items():
            if name == "file_uploader_state_value":
                state.file_uploader_state_value.uploaded_file_info.extend(content)
            elif name.endswith("array_value"):
                getattr(state, name).data.extend(content)
            else:
                setattr(state, name, content)
        self._states[widget.id] = state
        (place,) = [
            place
            for place, (element, _) in self.elements.items()
            if getattr(getattr(element, str(element.WhichOneof("type"))), "id", "") == widget.id
        ]
        message = self._rerun(self.elements[place][1])
        if state.HasField("trigger_value"):
            del self._states[widget.id]
        await self._run(message)

    def _rerun(self, fragment: str = "", *, by_itself: bool = False) -> BackMsg:
        state = ClientState(fragment_id=fragment, is_auto_rerun=by_itself)
        # A page goes by its name until the server has said what it calls it.
        if self._script:
            state.page_script_hash = self._script
        else:
            state.page_name = self._page
        state.widget_states.widgets.extend(self._states.values())
        state.query_string = self._query
        state.context_info.url = self._link()
        state.context_info.color_scheme = "light"
        return BackMsg(rerun_script=state)

    async def _run(self, message: BackMsg) -> None:
        """Send and wait for the end of the run that this starts."""
        before = self._runs
        await self._send(message)
        await self.until(lambda: self._runs > before, "the end of a run")

    async def _send(self, message: BackMsg) -> None:
        if self._socket is None:
            raise VisitError("not there")
        await self._socket.send(message.SerializeToString())

    async def _ask(self, message: BackMsg, request: str) -> ForwardMsg:
        await self._send(message)
        await self.until(lambda: request in self._answers, "an answer")
        return self._answers.pop(request)

    async def _read(self, socket: ClientConnection) -> None:
        async for data in socket:
            content = data.encode() if isinstance(data, str) else data
            self.received += len(content)
            self.watch(content)
            message = ForwardMsg.FromString(content)
            async with self._changed:
                self._take(message)
                self._changed.notify_all()
        async with self._changed:
            self._changed.notify_all()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._running = True
            self._begin(message)
        elif kind == "navigation":
            self._script = message.navigation.page_script_hash
        elif kind == "delta":
            self._draw(message)
        elif kind == "script_finished":
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self._running = False
                self._runs += 1
        elif kind in ("auto_rerun", "stop_auto_rerun"):
            self._schedule(message)
        elif kind == "file_urls_response":
            self._answers[message.file_urls_response.response_id] = message
        elif kind == "backend_operation_response":
            self._answers[message.backend_operation_response.request_id] = message

    def _schedule(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            self._stop(fragment)
        if message.HasField("auto_rerun"):
            fragment, pause = message.auto_rerun.fragment_id, message.auto_rerun.interval
            self._stop(fragment)
            self._again[fragment] = asyncio.create_task(self._repeat(fragment, pause))

    def _begin(self, message: ForwardMsg) -> None:
        fragments = set(message.metadata.run.fragment_ids)
        if message.new_session.initialize.session_id:
            self.session = message.new_session.initialize.session_id
        if not fragments:
            for fragment in list(self._again):
                self._stop(fragment)
        self.elements = {
            place: (element, fragment)
            for place, (element, fragment) in self.elements.items()
            if fragments and fragment not in fragments
        }

    def _draw(self, message: ForwardMsg) -> None:
        place = tuple(message.metadata.delta_path)
        if not message.delta.HasField("new_element"):
            # A block takes the place of what stood there, with all below.
            for each in [each for each in self.elements if each[: len(place)] == place]:
                del self.elements[each]
            return
        element = message.delta.new_element
        self.elements[place] = (element, message.delta.fragment_id)
        if element.HasField("bidi_component"):
            drawn = element.bidi_component
            self._components[drawn.component_name] = (drawn, message.delta.fragment_id)
        self._mount(element)

    def _mount(self, element: Element) -> None:
        """A widget starts from what the server says, and obeys it later where it insists."""
        kind = str(element.WhichOneof("type"))
        widget = getattr(element, kind)
        first = {
            "text_input": ("string_value", "default", "value"),
            "checkbox": ("bool_value", "default", "value"),
            "slider": ("double_array_value", "default", "value"),
        }.get(kind)
        if first is None or (widget.id in self._states and not widget.set_value):
            return
        target, default, now = first
        state = WidgetState(id=widget.id)
        if kind == "slider" and widget.options:
            said = list(widget.raw_value) or [widget.options[int(i)] for i in widget.default]
            state.string_array_value.data.extend(said)
        elif kind == "slider":
            state.double_array_value.data.extend(
                widget.value if widget.set_value else widget.default
            )
        else:
            setattr(state, target, getattr(widget, now if widget.set_value else default))
        self._states[widget.id] = state

    async def _repeat(self, fragment: str, pause: float) -> None:
        while not self._lost():
            await asyncio.sleep(pause)
            await self._send(self._rerun(fragment, by_itself=True))

    def _stop(self, fragment: str) -> None:
        task = self._again.pop(fragment, None)
        if task is not None:
            task.cancel()

    # HTTP

    def _link(self) -> str:
        return f"{self.url}/{self._page}" + (f"?{self._query}" if self._query else "")

    def _address(self, path: str) -> str:
        base = urlsplit(self.url)
        prefix = "" if path.startswith(f"{base.path}/") else base.path
        return f"{base.scheme}://{base.netloc}{prefix}{path}"

    def _headers(self) -> dict[str, str]:
        if not self._cookie:
            return {}
        return {"Cookie": f"{COOKIE}={self._cookie}", "X-Xsrftoken": self._cookie}

    async def _get(self, url: str) -> bytes:
        return await asyncio.to_thread(self._fetch, Request(url, headers=self._headers()))

    def _fetch(self, request: Request) -> bytes:
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return bytes(answer.read())
        except HTTPError as refusal:
            refusal.close()
            raise

    def _take_cookie(self) -> str:
        with urlopen(f"{self.url}/_stcore/health", timeout=PATIENCE) as answer:
            for header in answer.headers.get_all("Set-Cookie") or []:
                name, _, value = header.partition(";")[0].partition("=")
                if name == COOKIE:
                    return str(value)
        raise VisitError("the server gave no cookie against forged requests")

    def _put(self, path: str, name: str, data: bytes) -> None:
        mark = uuid.uuid4().hex
        head = (
            f"--{mark}\r\nContent-Disposition: form-data; name={json.dumps(name)}; "
            f"filename={json.dumps(name)}\r\nContent-Type: text/csv\r\n\r\n"
        )
        request = Request(
            self._address(path),
            data=head.encode() + data + f"\r\n--{mark}--\r\n".encode(),
            headers={
                **self._headers(),
                "Content-Type": f"multipart/form-data; boundary={mark}",
                "Origin": "{0.scheme}://{0.netloc}".format(urlsplit(self.url)),
            },
            method="PUT",
        )
        self._fetch(request)


@contextmanager
def timed(times: dict[str, list[float]], what: str) -> Iterator[None]:
    """Note how long the block takes, if it ends well."""
    clock = asyncio.get_running_loop().time
    begun = clock()
    yield
    times.setdefault(what, []).append(clock() - begun)

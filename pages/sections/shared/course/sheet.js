// A page within the page, which runs no script: so what is around it finds out how high it is.

export default function ({ data, parentElement }) {
  const frame = parentElement.querySelector("iframe");
  const sizes = new ResizeObserver(fit);

  function fit() {
    const body = frame.contentDocument?.body;
    if (!body) return;
    const borders = frame.offsetHeight - frame.clientHeight;
    frame.style.height = `${Math.ceil(body.getBoundingClientRect().height) + borders}px`;
  }

  function watch() {
    sizes.disconnect();
    if (frame.contentDocument?.body) sizes.observe(frame.contentDocument.body);
  }

  frame.title = data.title;
  frame.addEventListener("load", watch);
  if (frame.srcdoc !== data.html) frame.srcdoc = data.html;
  watch();
  return () => {
    frame.removeEventListener("load", watch);
    sizes.disconnect();
  };
}

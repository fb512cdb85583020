"""Two tables that differ in private cells alone, released with the same noise: the same bytes.

``drawing`` draws such pairs and what the released file must be, ``cells`` the spellings of private
cells, ``leaving`` collects everything that leaves of a release, ``checking`` compares, ``twins``
are faulty copies that the comparison must reject.
"""

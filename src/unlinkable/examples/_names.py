"""Names for invented patients, to be put together at random."""

from __future__ import annotations

__all__ = ["FAMILY_NAMES", "FEMALE_NAMES", "MALE_NAMES"]

_MALE = """
Aldo Barun Corven Dario Edrin Farel Gorrim Hanno Ivar Joren Kelmo Lorin Maro Nevin Orlan Perrin
Quillo Rasto Sorel Tavin Ulmo Varro Wendel Yorick Zeno
"""

_FEMALE = """
Alenka Belisa Corinda Delia Elvane Fiora Gisela Hela Isaura Jovanka Kiria Liora Maritta Nolwa
Orsina Perla Quena Rosella Silvane Tamsa Ulrisa Velia Wilma Ysolde Zarina
"""

_FAMILY = """
Abelsund Arvenholt Barroway Bellwick Brandow Caldermoor Castelmar Dornfeld Drummel Eastvale
Elmgren Farrowin Fenmark Gallowen Grevin Halvarsen Harksen Ilmarin Jansel Jorvald Kaldorin
Kestrelby Lambrick Lindqvar Marloway Merrind Norvell Oakhursten Olanderby Pellin Prendermoor
Quistrand Ravensholt Rowanside Sandviken Selmerin Thornbyrne Tolvane Umberfield Vandermoor
Vargasund Westergan Winslomar Yarrowick Zellerin
"""

MALE_NAMES: tuple[str, ...] = tuple(_MALE.split())
"""Given names of men."""

FEMALE_NAMES: tuple[str, ...] = tuple(_FEMALE.split())
"""Given names of women."""

FAMILY_NAMES: tuple[str, ...] = tuple(_FAMILY.split())
"""Family names."""

from .words import chance as chance
from .words import listed as listed
from .words import number as number
from .words import percent as percent
from .words import quantity as quantity

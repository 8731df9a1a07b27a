from .workers import Lost as Lost
from .workers import Workers as Workers

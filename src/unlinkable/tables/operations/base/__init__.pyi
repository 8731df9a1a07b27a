from .operation import Operation as Operation
from .operation import Perturbation as Perturbation
from .operation import Scheme as Scheme
from .recoding import Recoding as Recoding

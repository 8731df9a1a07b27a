from .operation import Operation as Operation
from .operation import Perturbation as Perturbation
from .recoding import Recoding as Recoding
from .scheme import Scheme as Scheme

from . import risk as risk

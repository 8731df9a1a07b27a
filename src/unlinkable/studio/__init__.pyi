from .jobs import usual_workers as usual_workers
from .project import default_home as default_home
from .server import Settings as Settings
from .server import serve as serve

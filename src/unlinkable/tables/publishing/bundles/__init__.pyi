from .manifest import Manifest as Manifest
from .manifest import MaskedManifest as MaskedManifest
from .opened import Bundle as Bundle
from .opened import open_bundle as open_bundle

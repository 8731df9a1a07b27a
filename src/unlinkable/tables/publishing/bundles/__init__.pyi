from .bundle import save as save
from .manifest import Manifest as Manifest
from .manifest import MaskedManifest as MaskedManifest
from .manifest_sections import PublicFile as PublicFile
from .manifest_sections import Signature as Signature
from .opened import Bundle as Bundle
from .opened import open_bundle as open_bundle

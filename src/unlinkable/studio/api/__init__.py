"""The JSON interface under ``/api/v1``: the contracts of ``--json``, for programs."""

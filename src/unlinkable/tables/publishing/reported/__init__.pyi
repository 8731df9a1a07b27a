from .reports import report_of_bundle as report_of_bundle

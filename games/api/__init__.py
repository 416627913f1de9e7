"""The games by HTTP for programs; a face like the pages, over the same services and the same eyes."""

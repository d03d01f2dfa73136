"""Laws of structureless data: each is a class made from the data, with one method ``draw(seed)``.

They keep summaries of the data, so that passing them to worker processes is cheap. What they are
called is decided in ``_null_data``.
"""

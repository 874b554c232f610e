# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the public interface that are not there yet: they can be imported, and say so when used."""


def unsupported_function(module: str, name: str):
    """A function that raises NotImplementedError."""
    def function(*arguments, **keywords):
        raise NotImplementedError(f"{module}.{name} is not supported yet")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{module}.{name}`: not supported yet; a call raises NotImplementedError."
    return function


def unsupported_class(module: str, name: str):
    """A class whose construction, indexing or attributes raise NotImplementedError."""
    def refuse(*arguments, **keywords):
        raise NotImplementedError(f"{module}.{name} is not supported yet")

    class Meta(type):
        def __getattr__(cls, attribute):
            # Protocol look-ups must see "no such attribute".
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            refuse()

        __getitem__ = refuse
        __call__ = refuse

    return Meta(name, (), {"__doc__": f"`{module}.{name}`: not supported yet; any use raises NotImplementedError."})

"""The subcommands of ``hanafu``, a module each (named with an underscore behind: ``import`` is a word of the language)."""

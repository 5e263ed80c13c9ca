"""The playground: a page that asks a retriever, shows why each passage was found, and edits the query.

``answers`` has the questions of the page and their answers, ``server`` the application, ``page`` the page itself.
"""

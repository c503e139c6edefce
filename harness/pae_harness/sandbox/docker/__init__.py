"""The ``docker`` backend: containers, by Docker's engine or Podman's, over its Unix socket."""

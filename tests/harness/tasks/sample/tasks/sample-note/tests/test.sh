exec python3 -I -m pae_verifiers --tests /tests --fixtures /fixtures --outputs / --logs /logs/verifier

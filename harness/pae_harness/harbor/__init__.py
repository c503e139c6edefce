"""Harbor, both ways: this suite's tasks as Harbor tasks, and Harbor tasks as tasks here."""

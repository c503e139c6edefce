echo "We bought because cash was over its limit." > /app/output/note.md

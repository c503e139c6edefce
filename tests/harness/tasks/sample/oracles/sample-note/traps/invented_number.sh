bash /solution/solve.sh && echo "It cost $99." >> /app/output/note.md

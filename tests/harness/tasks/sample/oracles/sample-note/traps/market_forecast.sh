bash /solution/solve.sh && echo "Markets will rise." >> /app/output/note.md

/** Whether a text is a day of the calendar in the form YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && utcDay(date) === text;
}

/** The UTC day of an instant, wherever the program runs. */
export function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

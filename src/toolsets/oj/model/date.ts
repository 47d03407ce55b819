/** Returns whether a string is an existing calendar day in the form YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && utcDayOf(date) === text;
}

/** Returns the UTC day of an instant, independent of the local time zone. */
export function utcDayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

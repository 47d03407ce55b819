import { refusal } from './refusal.ts';

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|([+-])(\d{2}):(\d{2}))$/;

/** An instant with its zone, in milliseconds since 1970; days and hours that do not exist are refused. */
export function readInstant(text: string): number {
  const match = form.exec(text);
  if (match !== null) {
    const [
      ,
      year = '',
      month = '',
      day = '',
      hour = '',
      minute = '',
      second = '',
      fraction = '',
      ,
      sign,
      hours,
      minutes,
    ] = match;
    const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
    const local = new Date(0);
    local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
    local.setUTCHours(Number(hour), Number(minute), Number(second), ms);
    const isReal = local.toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
    if (isReal && Number(hours ?? 0) < 24 && Number(minutes ?? 0) < 60) return local.getTime() - offset * 60_000;
  }
  throw refusal('ValidationError', `"since" is not an instant: ${JSON.stringify(text)}.`, {
    suggestion: 'Use YYYY-MM-DDThh:mm:ss with a zone, such as 2025-01-01T00:00:00Z or …+05:00.',
  });
}

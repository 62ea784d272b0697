/** What the demo's timetable is made from. Days are counted from today, and times are local. */

/** Weeks that have passed, and days that are to come, this one included. */
export const pastWeeks = 9;
export const pastDays = pastWeeks * 7;
export const comingDays = 14;

/** Bookings on each weekday, Monday first. They fit in four times of the day, in daylight also in winter. */
export const perWeekday = [3, 4, 5, 4, 5, 8, 7] as const;
export const starts = ["09:00", "10:45", "12:30", "14:15"] as const;
export const minutesBooked = 90;

/** Days without flights: the weeks before this day's, and the weekday, 1 for Monday. */
const badWeather = [
  [8, 3],
  [7, 6],
  [7, 7],
  [5, 2],
  [4, 4],
  [3, 1],
  [2, 5],
] as const;

/** Returns whether nobody flew on a day that has passed. Counted so, each demo has as many, whatever today's weekday. */
export const isBadWeather = (day: number, dayOfWeek: number): boolean =>
  badWeather.some(([week, weekday]) => Math.ceil(-day / 7) === week && dayOfWeek === weekday);

/** Lessons that are flown, in their order, in both programs; 19 is the PPL's. */
const flownLessons = "2,3,4,5a,5b,6,7,8,9,10a,10b,11,12,13,12/13E,14,15,16,17,18a,18b,18c,19,18S".split(",");

export const lessonsOf = (program: "ppl-a" | "lapl-a"): readonly string[] =>
  program === "ppl-a" ? flownLessons : flownLessons.filter((code) => code !== "19");

export const isSolo = (code: string): boolean => code === "14" || code === "18S";

/** Aerodromes near Egelsbach, with the block time of a flight there. */
export const destinations = [
  ["EDFM", 36],
  ["EDRY", 38],
  ["EDFZ", 27],
  ["EDFC", 30],
  ["EDFB", 26],
  ["EDRF", 40],
] as const;

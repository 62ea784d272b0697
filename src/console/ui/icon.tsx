/** Icons of 18 by 18, drawn with lines. They are decoration: a word stands beside each, or names its button. */
const paths = {
  today:
    "M9 2.5v2M9 13.500v2M2.500 9h2M13.500 9h2M4.400 4.400l1.400 1.400M12.200 12.200l1.400 1.400M4.400 13.600l1.400-1.400M12.200 5.800l1.400-1.400M9 6.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5",
  flights: "M2.500 10.500 7 9.500l4.500-5.500q1-1 2 0t0 2L8 10.500l-1.500 4.500-1.500.5v-4L2.500 11.500z",
  people:
    "M7 8.500a2.700 2.700 0 1 0 0-5.400a2.700 2.700 0 1 0 0 5.400M2.500 15q0-4 4.500-4t4.500 4M11.500 3.300a2.700 2.700 0 0 1 0 5M13 11.300q2.500.7 2.500 3.700",
  aircraft:
    "M9 2q1.200 1.200 1.200 4l5.800 4v1.500l-5.800-1.500v3.500l2 1.500v1l-3.200-.8-3.200.8v-1l2-1.500V10L2 11.500V10l5.800-4Q7.800 3.200 9 2z",
  calendar: "M3 4.500h12v11H3zM3 8h12M6.500 2.500v3.500M11.500 2.500v3.500M6 11h2M10 11h2",
  settings:
    "M3 5h6M13 5h2M3 13h2M9 13h6M11 3.300a1.700 1.700 0 1 0 0 3.400a1.700 1.700 0 1 0 0-3.400M7 11.300a1.700 1.700 0 1 0 0 3.400a1.700 1.700 0 1 0 0-3.400",
  server: "M3 3.500h12v4.500H3zM3 10h12v4.500H3zM5.500 5.700h.1M5.500 12.200h.1M8.500 5.700h4M8.500 12.200h4",
  seal: "M9 2.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9M6.500 10.800 5.500 16 9 14.200 12.500 16l-1-5.200M7.200 7l1.300 1.300L11 5.800",
  search: "M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10M11.700 11.700 15.500 15.500",
  more: "M4 9h.01M9 9h.01M14 9h.01",
  close: "M4.500 4.500l9 9M13.500 4.500l-9 9",
  check: "M4 9.500l3.200 3.200L14 5.800",
  warn: "M9 3 16 15H2zM9 7.500v3.200M9 12.700v.1",
  stop: "M9 2.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M6 9h6",
  info: "M9 2.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M9 8.200v4M9 5.700v.1",
  dot: "M9 7.500a1.500 1.500 0 1 0 0 3a1.500 1.500 0 1 0 0-3",
  back: "M11 4 6 9l5 5",
  next: "M7 4l5 5-5 5",
  down: "M4 7l5 5 5-5",
  plus: "M9 3.500v11M3.500 9h11",
  download: "M9 3v8M5.500 8 9 11.500 12.500 8M3 14.500h12",
  upload: "M9 11.500v-8M5.500 6.500 9 3l3.500 3.500M3 14.500h12",
  account: "M9 8.500a3 3 0 1 0 0-6a3 3 0 1 0 0 6M3.500 15.500q0-4.500 5.500-4.500t5.500 4.500",
  eye: "M2 9q7-9 14 0q-7 9-14 0M9 6.800a2.200 2.200 0 1 0 0 4.400a2.200 2.200 0 1 0 0-4.400",
  eyeOff: "M2 9q7-9 14 0q-7 9-14 0M9 6.800a2.200 2.200 0 1 0 0 4.400a2.200 2.200 0 1 0 0-4.400M3.500 14.500l11-11",
  copy: "M6.500 6.500h8v8h-8zM11.500 6.500v-3h-8v8h3",
  print: "M5 7V3h8v4M5 12H3V7h12v5h-2M5 10h8v5H5z",
} as const;

export type IconName = keyof typeof paths;

interface IconProps {
  name: IconName;
  size?: number;
}

export const Icon = ({ name, size = 18 }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    stroke-width={name === "more" ? 2.4 : 1.5}
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

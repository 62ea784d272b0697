/** All screens: their addresses, who may open them, and the menu. A screen is loaded when it is opened, or at the start of the page. */
import { computed, effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Permission, PlatformPermission } from "../../core/permissions.ts";
import type { Text } from "../text/en.ts";
import type { IconName } from "../ui/icon.tsx";
import { loadPart } from "./load-part.ts";
import { may, operates } from "./permissions.ts";
import { type Parameters, parametersIn, place } from "./router.ts";
import { isSuspended, organization } from "./session.ts";

export type ScreenComponent = ComponentType<Parameters>;

interface Loaded {
  default: ScreenComponent;
  /** Asks for what the screen shows first, as its address says. */
  ahead?: () => void;
}

interface Screen {
  path: string;
  load(): Promise<Loaded>;
  /** One of them is needed. */
  permissions?: readonly Permission[];
  /** It needs no school. */
  isOfAccount?: boolean;
  /** It needs this one for the installation, and no school. */
  platform?: PlatformPermission;
}

/** An entry of the menu, and the screens that belong to it. */
interface Area {
  name: keyof Text["areas"];
  icon: IconName;
  path: string;
  permissions?: readonly Permission[];
  platform?: PlatformPermission;
  /** Who has this needs no such entry. */
  unless?: Permission;
  /** Who has one of these works here, and does not only read. */
  work?: readonly Permission[];
}

/** Who reads flights: all, or their own. */
const readers = ["flights:read", "flights:read_own"] as const;

/** The same of training. */
const trained = ["training:read", "training:read_own"] as const;

export const areas: readonly Area[] = [
  { name: "today", icon: "today", path: "/app/today" },
  {
    name: "flights",
    icon: "flights",
    path: "/app/flights",
    permissions: readers,
    work: ["flights:submit", "flights:approve"],
  },
  {
    name: "planning",
    icon: "calendar",
    path: "/app/planning",
    permissions: ["planning:read"],
    work: ["planning:manage"],
  },
  {
    name: "bookings",
    icon: "calendar",
    path: "/app/bookings",
    permissions: ["planning:read_own"],
    unless: "planning:read",
  },
  { name: "people", icon: "people", path: "/app/people", permissions: ["people:read"] },
  { name: "training", icon: "cap", path: "/app/training", permissions: ["training:read"] },
  { name: "compliance", icon: "shield", path: "/app/compliance", permissions: ["compliance:read"] },
  { name: "aircraft", icon: "aircraft", path: "/app/aircraft", permissions: ["aircraft:read"] },
  {
    name: "maintenance",
    icon: "wrench",
    path: "/app/maintenance",
    permissions: ["maintenance:read"],
    work: ["maintenance:manage"],
  },
  { name: "evidence", icon: "seal", path: "/app/evidence", permissions: ["evidence:manage"] },
  { name: "myself", icon: "account", path: "/app/myself", permissions: ["people:read_own"], unless: "people:read" },
  { name: "settings", icon: "settings", path: "/app/settings", permissions: ["organization:manage", "members:read"] },
  { name: "installation", icon: "server", path: "/app/installation", platform: "platform_admin.installation:read" },
];

declare const DEVELOPMENT: boolean;

const screens: readonly Screen[] = [
  { path: "/app/today", load: () => import("../screens/today/today.tsx") },
  { path: "/app/flights", permissions: readers, load: () => import("../screens/flights/flights.tsx") },
  {
    path: "/app/flights/new",
    permissions: ["flights:submit"],
    load: () => import("../screens/flights/new-flight.tsx"),
  },
  {
    path: "/app/flights/approvals",
    permissions: ["flights:approve"],
    load: () => import("../screens/flights/approvals.tsx"),
  },
  {
    path: "/app/flights/import",
    permissions: ["flights:import"],
    load: () => import("../screens/flights/import.tsx"),
  },
  {
    path: "/app/flights/:flightId/edit",
    permissions: ["flights:submit"],
    load: () => import("../screens/flights/edit-flight.tsx"),
  },
  {
    path: "/app/flights/:flightId",
    permissions: readers,
    load: () => import("../screens/flights/flight.tsx"),
  },
  {
    path: "/app/planning",
    permissions: ["planning:read"],
    load: () => import("../screens/planning/board.tsx"),
  },
  {
    path: "/app/bookings",
    permissions: ["planning:read_own", "planning:book"],
    load: () => import("../screens/bookings/own-bookings.tsx"),
  },
  { path: "/app/bookings/new", permissions: ["planning:book"], load: () => import("../screens/bookings/book.tsx") },
  { path: "/app/people", permissions: ["people:read"], load: () => import("../screens/people/people.tsx") },
  {
    path: "/app/compliance",
    permissions: ["compliance:read"],
    load: () => import("../screens/compliance/who-can-fly.tsx"),
  },
  {
    path: "/app/compliance/expiries",
    permissions: ["compliance:read"],
    load: () => import("../screens/compliance/expiries.tsx"),
  },
  {
    path: "/app/compliance/records",
    permissions: ["compliance:read"],
    load: () => import("../screens/compliance/required.tsx"),
  },
  {
    path: "/app/compliance/revalidations",
    permissions: ["compliance:read"],
    load: () => import("../screens/compliance/revalidations.tsx"),
  },
  {
    path: "/app/compliance/rules",
    permissions: ["compliance:read"],
    load: () => import("../screens/compliance/rules.tsx"),
  },
  {
    path: "/app/aircraft",
    permissions: ["aircraft:read"],
    load: () => import("../screens/aircraft/aircraft-list.tsx"),
  },
  {
    path: "/app/aircraft/import",
    permissions: ["aircraft:manage"],
    load: () => import("../screens/aircraft/import.tsx"),
  },
  {
    path: "/app/aircraft/:aircraftId",
    permissions: ["aircraft:read"],
    load: () => import("../screens/aircraft/aircraft.tsx"),
  },
  {
    path: "/app/maintenance",
    permissions: ["maintenance:read"],
    load: () => import("../screens/maintenance/overview.tsx"),
  },
  {
    path: "/app/maintenance/work-orders",
    permissions: ["maintenance:read"],
    load: () => import("../screens/maintenance/orders.tsx"),
  },
  {
    path: "/app/maintenance/work-orders/new",
    permissions: ["maintenance:manage"],
    load: () => import("../screens/maintenance/new-order.tsx"),
  },
  {
    path: "/app/maintenance/work-orders/:workOrderId",
    permissions: ["maintenance:read"],
    load: () => import("../screens/maintenance/work-order.tsx"),
  },
  {
    path: "/app/maintenance/defects",
    permissions: ["maintenance:read"],
    load: () => import("../screens/maintenance/fleet-defects.tsx"),
  },
  {
    path: "/app/maintenance/programmes",
    permissions: ["maintenance:read"],
    load: () => import("../screens/maintenance/programmes.tsx"),
  },
  {
    path: "/app/defects/new",
    permissions: ["defects:report"],
    load: () => import("../screens/maintenance/report.tsx"),
  },
  {
    path: "/app/people/import",
    permissions: ["people:manage"],
    load: () => import("../screens/people/import.tsx"),
  },
  {
    path: "/app/people/:personId",
    permissions: ["people:read", "people:read_own"],
    load: () => import("../screens/people/person.tsx"),
  },
  {
    path: "/app/myself",
    permissions: ["people:read_own"],
    load: () => import("../screens/people/myself.tsx"),
  },
  { path: "/app/training", permissions: ["training:read"], load: () => import("../screens/training/students.tsx") },
  {
    path: "/app/training/programs",
    permissions: ["training:read"],
    load: () => import("../screens/training/programs.tsx"),
  },
  {
    path: "/app/training/programs/:programId",
    permissions: ["training:read"],
    load: () => import("../screens/training/program.tsx"),
  },
  {
    path: "/app/training/programs/:programId/revisions/:revisionId",
    permissions: ["training:read"],
    load: () => import("../screens/training/revision.tsx"),
  },
  {
    path: "/app/training/:enrollmentId/grade",
    permissions: ["training:record"],
    load: () => import("../screens/training/grade.tsx"),
  },
  {
    path: "/app/training/:enrollmentId",
    permissions: trained,
    load: () => import("../screens/training/student.tsx"),
  },
  {
    path: "/app/money/invoices/:invoiceId",
    permissions: ["finance:read", "finance:own"],
    load: () => import("../screens/finance/invoice.tsx"),
  },
  { path: "/app/evidence", permissions: ["evidence:manage"], load: () => import("../screens/evidence/packs.tsx") },
  {
    path: "/app/evidence/:packId",
    permissions: ["evidence:manage", "evidence:own"],
    load: () => import("../screens/evidence/pack.tsx"),
  },
  { path: "/app/account", isOfAccount: true, load: () => import("../screens/accounts/account.tsx") },
  { path: "/app/settings", permissions: ["organization:read"], load: () => import("../screens/settings/school.tsx") },
  {
    path: "/app/settings/members",
    permissions: ["members:read"],
    load: () => import("../screens/settings/members.tsx"),
  },
  {
    path: "/app/settings/invites",
    permissions: ["members:manage"],
    load: () => import("../screens/settings/invites.tsx"),
  },
  {
    path: "/app/installation",
    platform: "platform_admin.installation:read",
    load: () => import("../screens/installation/installation.tsx"),
  },
  ...(DEVELOPMENT ? [{ path: "/app/widgets", load: () => import("../screens/widgets/widgets.tsx") }] : []),
];

/** An account may have no school yet. */
const isOpen = ({ permissions, platform, isOfAccount = false }: Omit<Screen, "path" | "load">): boolean => {
  if (platform !== undefined) return operates(platform);
  return isOfAccount || (organization.value !== undefined && (!permissions || may(...permissions)));
};

/** While a school is suspended, only what needs no school is shown. */
const isClosed = ({ platform, isOfAccount = false }: Omit<Screen, "path" | "load">): boolean =>
  isSuspended.value && !isOfAccount && platform === undefined;

export const openAreas = (): readonly Area[] =>
  areas.filter((area) => isOpen(area) && !isClosed(area) && (area.unless === undefined || !may(area.unless)));

/** On a phone the bar has room for this many, and for `More`: today, and where the account works before where it only reads. */
const inBar = 3;

export function areasInBar(): readonly Area[] {
  const [first, ...others] = openAreas();
  const works = ({ work }: Area): boolean => work !== undefined && may(...work);
  const sorted = [...others.filter(works), ...others.filter((area) => !works(area))];
  return first ? [first, ...sorted].slice(0, inBar) : [];
}

/** Where the console begins for this account. */
export const home = (): string => (isSuspended.value ? "/app/today" : (openAreas()[0]?.path ?? "/app/account"));

/** Returns whether an address leads to a screen that the account may open. */
export const isScreen = (path: string): boolean =>
  screens.some((screen) => parametersIn(path, screen.path) !== undefined && isOpen(screen));

interface Opened {
  /** Its path in the address bar. */
  address: string;
  component: ScreenComponent;
  parameters: Parameters;
}

/** The screen of the address: `undefined` if there is none. */
const wanted = computed(() => {
  const { path } = place.value;
  for (const screen of screens) {
    const parameters = parametersIn(path, screen.path);
    if (parameters) return { screen, parameters };
  }
  return undefined;
});

export type Shown =
  | { kind: "loading" }
  | { kind: "missing" }
  | { kind: "suspended" }
  | { kind: "failed"; error: unknown }
  | ({ kind: "open" } & Opened);

/** What is on the screen. While the next screen loads, the one before stays. */
export const shown = signal<Shown>({ kind: "loading" });
const loaded = new Map<Screen, Loaded>();
const loading = new Map<Screen, Promise<Loaded>>();

async function load(screen: Screen): Promise<Loaded> {
  const part = await loadPart(screen.load);
  loaded.set(screen, part);
  return part;
}

/** Those who ask for a screen while it is loading share it. */
function loadOnce(screen: Screen): Promise<Loaded> {
  const known = loading.get(screen) ?? load(screen).finally(() => loading.delete(screen));
  loading.set(screen, known);
  return known;
}

/** At the start: loads the screen of the address while the session begins. What fails is tried again when it is opened. */
export function loadAhead(): void {
  const screen = wanted.peek()?.screen;
  if (screen) loadOnce(screen).catch(() => undefined);
}

/** When the session has begun: the screen of the address asks for its data before the shell is rendered, if it is loaded by then. */
export function askAhead(): void {
  const screen = wanted.peek()?.screen;
  if (screen && isOpen(screen) && !isClosed(screen)) loaded.get(screen)?.ahead?.();
}

effect(() => {
  const { path: address } = place.value;
  const next = wanted.value;
  if (!next || !isOpen(next.screen)) {
    shown.value = { kind: "missing" };
    return;
  }
  const { screen, parameters } = next;
  if (isClosed(screen)) {
    shown.value = { kind: "suspended" };
    return;
  }
  const known = loaded.get(screen);
  if (known) {
    shown.value = { kind: "open", address, component: known.default, parameters };
    return;
  }
  // At the start nobody is signed in yet, and nothing is permitted: that is no longer so.
  if (shown.peek().kind !== "open") shown.value = { kind: "loading" };
  const isWanted = () => place.peek().path === address;
  loadOnce(screen).then(
    ({ default: component }) => {
      if (isWanted()) shown.value = { kind: "open", address, component, parameters };
    },
    (error) => {
      if (isWanted()) shown.value = { kind: "failed", error };
    },
  );
});

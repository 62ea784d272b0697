/** The console begins here. */
import "./ui/theme.css";
import "./ui/base.css";
import "./ui/controls.css";
import "./ui/parts.css";
import "./ui/table.css";
import "./screens/flights/flights.css";
import "./app/shell.css";
import "./screens/maintenance/maintenance.css";
import "./screens/planning/planning.css";
import "./screens/planning/printed.css";
import "./screens/today/today.css";
import "./screens/training/training.css";
import "./screens/compliance/compliance.css";
import { render } from "preact";
import { followChanges } from "./app/changes.ts";
import { Console } from "./app/console.tsx";
import { keepFocus } from "./app/keep-focus.ts";
import { speakFirst } from "./app/language.ts";
import { listen } from "./app/router.ts";
import { askAhead, loadAhead } from "./app/screens.ts";
import { start } from "./app/session.ts";
import { applyTheme } from "./app/theme.ts";

applyTheme();
listen();
followChanges();
const place = document.getElementById("app");
const session = start().then(askAhead);
loadAhead();
await Promise.all([speakFirst(), session]);
if (place) {
  keepFocus(place);
  render(<Console />, place);
}

import { afterEach } from "bun:test";
import { closeInstallations } from "./installation.ts";

afterEach(closeInstallations);

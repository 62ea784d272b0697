import { afterAll, afterEach } from "bun:test";
import { closeInstallations, closeSharedInstallation } from "./installation.ts";

afterEach(closeInstallations);
afterAll(closeSharedInstallation);

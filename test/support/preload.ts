import { afterAll, afterEach } from "bun:test";
import { closeAll } from "./after-test.ts";
import { closeInstallations, closeSharedInstallation } from "./installation.ts";

afterEach(closeAll);
afterEach(closeInstallations);
afterAll(closeSharedInstallation);

import { afterAll, afterEach } from "bun:test";
import { closeAll } from "./after-test.ts";
import { closeInstallations, closeSharedInstallation } from "./installation.ts";
import { endServer } from "./on-server.ts";

afterEach(closeAll);
afterEach(closeInstallations);
afterAll(closeSharedInstallation);
afterAll(endServer);

/** The methods of the protocol, by era. */
import { completionComplete } from "./call/completion.ts";
import { resourcesRead } from "./call/resources-read.ts";
import { promptsGet, toolsCall } from "./call/tools-call.ts";
import { promptsList, resourcesList, resourceTemplatesList, toolsList } from "./lists/list-methods.ts";
import { discover, initialize, ping } from "./own/handshake.ts";
import { directoryRead, skillsGet, skillsList } from "./own/skills/skill-methods.ts";
import type { Method } from "./request.ts";
import { loggingSetLevel } from "./sessions/logging.ts";
import { resourcesSubscribe, resourcesUnsubscribe } from "./sessions/resources-subscribe.ts";
import { subscriptionsListen } from "./sessions/subscriptions-listen.ts";

const BOTH_ERAS: readonly [string, Method][] = [
  ["tools/list", toolsList],
  ["tools/call", toolsCall],
  ["prompts/list", promptsList],
  ["prompts/get", promptsGet],
  ["resources/list", resourcesList],
  ["resources/templates/list", resourceTemplatesList],
  ["resources/read", resourcesRead],
  ["resources/directory/read", directoryRead],
  ["skills/list", skillsList],
  ["skills/get", skillsGet],
  ["completion/complete", completionComplete],
];
export const METHODS = {
  legacy: new Map<string, Method>([
    ["initialize", initialize],
    ["ping", ping],
    ["logging/setLevel", loggingSetLevel],
    ["resources/subscribe", resourcesSubscribe],
    ["resources/unsubscribe", resourcesUnsubscribe],
    ...BOTH_ERAS,
  ]),
  modern: new Map<string, Method>([
    ["server/discover", discover],
    ["subscriptions/listen", subscriptionsListen],
    ...BOTH_ERAS,
  ]),
};

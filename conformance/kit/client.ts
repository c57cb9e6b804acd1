/** The suite starts this as the client under test. It passes the task to the process that runs Gatehouse. */
const { TASKS_URL = "", MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const task = { scenario, serverUrl: process.argv[2], context: JSON.parse(context) };
const answer = await fetch(TASKS_URL, { method: "POST", body: JSON.stringify(task) });
if (!answer.ok) throw new Error(await answer.text());

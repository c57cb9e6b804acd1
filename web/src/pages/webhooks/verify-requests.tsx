import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CopyField } from "../../components/copy-field.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import type { Webhook } from "./webhooks.ts";

const LANGUAGES = [
  { value: "node", label: "Node" },
  { value: "python", label: "Python" },
] as const;
type Language = (typeof LANGUAGES)[number]["value"];

const INSTALL: Readonly<Record<Language, string>> = {
  node: "npm install standardwebhooks",
  python: "pip install standardwebhooks",
};

const CODE: Readonly<Record<Language, string>> = {
  node: `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.GATEHOUSE_WEBHOOK_SECRET);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // Verify the bytes as received, not parsed and serialized again.
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    console.log(event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(3000);`,
  python: `import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ["GATEHOUSE_WEBHOOK_SECRET"])

@app.post("/")
def receive():
    try:
        # Verify the bytes as received, not parsed and serialized again.
        event = webhook.verify(request.get_data(as_text=True), dict(request.headers))
    except Exception:
        return "", 401
    print(event["type"], event["data"])
    return "", 204`,
};

/** How a receiver checks that a request comes from Gatehouse. */
export function VerifyRequests({ webhook: { format } }: { webhook: Webhook }) {
  const [language, setLanguage] = useState<Language>("node");
  return (
    <>
      {format === "slack" && (
        <Note>This webhook sends Slack messages. Slack does not verify signatures; keep its URL secret instead.</Note>
      )}
      <Section
        title="Verify the signature"
        description="Requests follow Standard Webhooks, so a library checks the signature and the age of a request."
        actions={
          <SegmentedControl
            aria-label="Language"
            data={LANGUAGES.map((one) => ({ ...one }))}
            value={language}
            onChange={(chosen) => setLanguage(LANGUAGES.find(({ value }) => value === chosen)?.value ?? "node")}
          />
        }
      >
        <Stack gap="xs">
          <CopyField value={INSTALL[language]} label="install command" />
          <CopyField value={CODE[language]} label="code" multiline />
        </Stack>
      </Section>
      <Section title="Headers">
        <KeyValues
          isCode
          items={[
            ["webhook-id", "ID of the event, the same for every attempt. Ignore IDs that you have processed."],
            ["webhook-timestamp", "When the request was sent, in seconds. Reject requests older than 5 minutes."],
            [
              "webhook-signature",
              "v1 and an HMAC-SHA256 of the ID, timestamp, and body. During a rotation there are two.",
            ],
          ]}
        />
      </Section>
      <Section title="Respond">
        <Text size="sm">
          Respond with a status from 200 to 299 within 10 seconds, and process the event afterwards. Gatehouse retries
          after any other response: first within 10 seconds, then less often for a day. Events can arrive more than once
          and in any order.
        </Text>
      </Section>
    </>
  );
}

/**
 * Phrases that address a model instead of a reader, with weights that add up to the certainty of a finding. Patterns are
 * matched against lower case text. Gaps are up to a few words, and every quantifier is bounded.
 */
export interface Signal {
  readonly name: string;
  readonly weight: number;
  /** One of these must occur. */
  readonly literals: readonly string[];
  readonly pattern: RegExp;
}

/** Up to `count` words between two parts of a phrase. */
function words(count: number): string {
  // Separators and words have no character in common: otherwise there would be many ways to match the same text.
  return `(?:[^a-z0-9.!?'’]{1,4}[a-z0-9'’]{1,20}){0,${count}}[^a-z0-9.!?'’]{1,4}`;
}

function signal(name: string, weight: number, literals: readonly string[], source: string): Signal {
  // Words are separated by any white space.
  const spaced = source.replaceAll(" ?", "\\s{0,4}").replaceAll(" ", "\\s{1,4}");
  return { name, weight, literals, pattern: new RegExp(spaced, "g") };
}

const OVERRIDE =
  "(?:ignore|disregard|forget|override|bypass|discard|do not follow|don't follow|stop following|neglect)";
const EARLIER =
  "(?:previous|prior|above|earlier|preceding|existing|original|initial|your|all|any|system|safety|these|those)";
const RULES =
  "(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|context|guardrails?|policies|polic(?:y|ies)|programming|training|restrictions?|messages?)";
const SECRETS =
  "(?:passwords?|secrets?|credentials?|tokens?|api keys?|api_keys?|private keys?|ssh keys?|environment variables?|env vars?|\\.env|cookies?|conversation|chat history|system prompt|user data|personal data|customer data|id_rsa)";
const SEND =
  "(?:send|post|upload|forward|transmit|exfiltrate|leak|email|append|include|submit|copy|paste|pass|encode|embed)";
const USER = "(?:the )?(?:user|human|operator|customer|person|anyone|them)";

export const INJECTION_SIGNALS: readonly Signal[] = [
  signal(
    "override",
    7,
    ["ignore", "disregard", "forget", "override", "bypass", "discard", "follow", "neglect"],
    `(?<![a-z])${OVERRIDE}${words(3)}(?:${EARLIER}${words(3)})?${EARLIER}${words(3)}${RULES}(?![a-z])|(?<![a-z])${OVERRIDE}${words(1)}everything${words(3)}(?:above|before|previous|earlier|said|told)`,
  ),
  signal(
    "new instructions",
    5,
    ["instructions", "instruction"],
    `(?<![a-z])(?:new|updated|real|actual|hidden|secret|additional|following) (?:system )?instructions?(?: for (?:the )?(?:ai|assistant|model|agent|llm)| ?:| are| override)`,
  ),
  signal(
    "secrecy",
    5,
    [
      "tell",
      "mention",
      "inform",
      "reveal",
      "notify",
      "disclose",
      "alert",
      "without telling",
      "without informing",
      "secret",
      "silently",
      "user",
    ],
    `(?<![a-z])(?:do not|don't|never|must not|without|avoid|refrain from)(?: ever)? (?:tell|mention|inform|reveal|notify|disclose|alert|telling|mentioning|informing|revealing|notifying|disclosing|alerting|show|display|showing|warn|warning|ask|asking)${words(5)}${USER}(?![a-z])|(?<![a-z])(?:silently|secretly|covertly)${words(2)}(?:call|send|read|run|execute|invoke|use|copy|forward)`,
  ),
  signal(
    "exfiltration",
    5,
    [
      "send",
      "post",
      "upload",
      "forward",
      "transmit",
      "exfiltrate",
      "leak",
      "email",
      "append",
      "include",
      "submit",
      "copy",
      "paste",
      "pass",
      "encode",
      "embed",
    ],
    `(?<![a-z])${SEND}${words(7)}${SECRETS}${words(9)}(?:https?:|to |as |via |in |into )|(?<![a-z])(?:read|cat|open|get|fetch|collect|gather|extract|steal)${words(5)}${SECRETS}${words(8)}${SEND}(?![a-z])|(?<![a-z])exfiltrat`,
  ),
  signal(
    "system tags",
    5,
    [
      "<|im_start|>",
      "<|system|>",
      "[inst]",
      "<<sys>>",
      "<system>",
      "</system>",
      "<|endoftext|>",
      "[system]",
      "### system",
      "### instruction",
      "system:",
      "<system_prompt>",
      "<system-reminder>",
    ],
    "<\\|(?:im_start|im_end|system|endoftext|assistant|user)\\|>|\\[/?inst\\]|<</?sys>>|</?system(?:_prompt|-reminder|-prompt)?>|\\[system\\](?:\\(#\\w{1,20}\\))?|#{2,4} ?(?:system|instructions?)(?: prompt)?:|(?:^|\\n)system: ?you ",
  ),
  signal(
    "hidden block",
    4,
    ["<important>", "<secret>", "<hidden>", "<critical>", "<instructions>", "<admin>", "<priority>"],
    "<(?:important|secret|hidden|critical|instructions|admin|priority)>",
  ),
  signal(
    "role",
    4,
    [
      "you are now",
      "from now on",
      "act as",
      "pretend",
      "developer mode",
      "jailbreak",
      "dan mode",
      "do anything now",
      "unrestricted",
      "roleplay",
      "role-play",
      "simulate",
    ],
    `(?<![a-z])(?:you are now|from now on,? you(?: are| will| must|'re)|(?:act|behave|respond|roleplay|role-play|pretend)${words(3)}(?:unrestricted|uncensored|unfiltered|jailbroken|dan|evil|root|administrator|developer mode|no restrictions?|without (?:any )?restrictions?)|developer mode (?:enabled|on|activated)|jailbreak(?:ed|ing)? (?:mode|prompt)|do anything now|dan mode|pretend (?:that )?you (?:have no|are not bound|can))`,
  ),
  signal(
    "reveal prompt",
    5,
    [
      "system prompt",
      "initial instructions",
      "your instructions",
      "hidden instructions",
      "system message",
      "your prompt",
      "developer message",
    ],
    `(?<![a-z])(?:reveal|print|show|repeat|output|display|tell me|leak|disclose|recite|dump|return|expose|summarize)${words(5)}(?:system (?:prompt|message)|initial (?:instructions|prompt)|your (?:instructions|prompt|rules)|hidden instructions|developer message)`,
  ),
  signal(
    "tool coercion",
    4,
    [
      "you must",
      "you should",
      "you have to",
      "you need to",
      "always call",
      "always use",
      "must call",
      "before using",
      "before calling",
      "first call",
      "must first",
      "before responding",
      "before answering",
      "immediately call",
      "immediately run",
      "immediately execute",
    ],
    `(?<![a-z])(?:(?:you |assistant |model |agent |ai )?(?:must|have to|need to|are required to|should|shall)(?: first| always| immediately| now| also)?|always|immediately|first)(?: (?:now|then|also|always|first))? (?:call|invoke|use|run|execute|trigger)${words(5)}(?:tools?|functions?|commands?|[a-z0-9]{1,20}_[a-z0-9_]{1,30})(?![a-z])|(?<![a-z])before (?:using|calling|invoking|responding|answering)${words(4)}(?:you must|always|first|call|read|send)`,
  ),
  signal(
    "authority",
    3,
    ["assistant", "ai model", "language model", "llm", "ai agent", "dear ai", "attention"],
    `(?<![a-z])(?:attention|note to|message (?:to|for)|instructions? (?:to|for)|dear|hey|hello)[,:]? (?:the |any |all )?(?:ai|assistants?|llms?|language models?|ai (?:agents?|models?|assistants?)|agents? reading|chatgpt|claude|gemini|copilot)(?![a-z])|if you are an? (?:ai|llm|language model|assistant)`,
  ),
  signal(
    "sensitive files",
    5,
    [
      ".ssh/",
      "id_rsa",
      "id_ed25519",
      ".aws/credentials",
      "/etc/passwd",
      "/etc/shadow",
      "mcp.json",
      ".env",
      ".npmrc",
      ".netrc",
      ".kube/config",
    ],
    `(?<![a-z])(?:read|cat|open|load|include|send|upload|copy|get|fetch|pass|access)${words(7)}(?:~/|/home/[a-z]{1,20}/|/root/|\\$home/|%userprofile%)?(?:\\.ssh/[a-z0-9_.]{1,30}|id_rsa|id_ed25519|\\.aws/credentials|/?etc/(?:passwd|shadow)|\\.cursor/mcp\\.json|mcp\\.json|\\.env(?![a-z])|\\.npmrc|\\.netrc|\\.kube/config)`,
  ),
  // Comments that a rendered page does not show, with an instruction in them.
  signal(
    "hidden comment",
    5,
    ["<!--"],
    "<!--[^<>]{0,400}?(?:(?<![a-z])(?:ignore|disregard|assistant|you must|system prompt|instructions?|do not tell|execute|send|secretly|ai model|llm)(?![a-z]))[^<>]{0,400}?-->",
  ),
];

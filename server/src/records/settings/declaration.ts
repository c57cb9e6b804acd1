/** How a setting is declared. */

export interface Declaration {
  /** One sentence for the API document, the CLI and the guide. */
  readonly description: string;
  /** Continues the description in the API document and the guide. */
  readonly details?: string;
  /** The label in the app. */
  readonly label: string;
  /** The help text below the field in the app. */
  readonly hint?: string;
}

export interface NumberDeclaration extends Declaration {
  readonly kind: "number";
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
}

export interface SwitchDeclaration extends Declaration {
  readonly kind: "switch";
  readonly default: boolean;
}

export interface ChoiceDeclaration extends Declaration {
  readonly kind: "choice";
  readonly default: string;
  readonly choices: readonly string[];
  /** By choice. */
  readonly choiceLabels: Readonly<Record<string, { readonly label: string; readonly hint: string }>>;
}

export interface TextDeclaration extends Declaration {
  readonly kind: "text";
  readonly default: null;
  readonly maxLength: number;
}

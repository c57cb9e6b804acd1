import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** One accent color. Everything else is a warm gray or a status color. */
const accent: MantineColorsTuple = [
  "#eef6f3",
  "#d9ebe5",
  "#b1d8cc",
  "#84c2b0",
  "#57aa94",
  "#35947c",
  "#207e68",
  "#136b57",
  "#0f5747",
  "#0a4135",
];
const gray: MantineColorsTuple = [
  "#faf9f7",
  "#f4f2ef",
  "#ebe8e3",
  "#dfdbd4",
  "#c9c4bb",
  "#a39d93",
  "#726c63",
  "#57524a",
  "#3b3732",
  "#23201c",
];
const dark: MantineColorsTuple = [
  "#ece9e4",
  "#cbc6be",
  "#a8a298",
  "#7d776e",
  "#423f3a",
  "#33302c",
  "#282623",
  "#1c1b19",
  "#151412",
  "#0f0e0d",
];
const red: MantineColorsTuple = [
  "#fdf1ef",
  "#fbe0dc",
  "#f5bdb6",
  "#ee968c",
  "#e36d60",
  "#d54d3f",
  "#c0392b",
  "#a82e22",
  "#8b241a",
  "#6d1b13",
];

/** The list scrolls without Mantine's scroll area, which the keyboard cannot reach. */
const LIST_OF_OPTIONS = { withScrollArea: false, classNames: { options: "gh-options" } };

export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 6 },
  black: "#23201c",
  // Without system-ui: on many Linux desktops it is a wide font that breaks dense tables.
  fontFamily:
    '-apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.35" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "10px", xl: "16px" },
  defaultRadius: "md",
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.35" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.45" },
    },
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Anchor: { defaultProps: { underline: "hover" } },
    Button: { defaultProps: { size: "sm" } },
    Checkbox: { defaultProps: { size: "sm" } },
    Drawer: {
      defaultProps: {
        position: "right",
        size: "lg",
        overlayProps: { backgroundOpacity: 0.35 },
        closeButtonProps: { "aria-label": "Close" },
      },
    },
    // Without the placeholder: a menu may contain only its items.
    Menu: { defaultProps: { shadow: "md", position: "bottom-end", radius: "md", withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { "aria-label": "Close" },
      },
    },
    MultiSelect: { defaultProps: { size: "sm", ...LIST_OF_OPTIONS } },
    NumberInput: { defaultProps: { size: "sm" } },
    PasswordInput: {
      defaultProps: { size: "sm", visibilityToggleButtonProps: { tabIndex: 0, "aria-label": "Show password" } },
    },
    Select: { defaultProps: { size: "sm", checkIconPosition: "right", ...LIST_OF_OPTIONS } },
    SegmentedControl: { defaultProps: { size: "xs" } },
    Switch: { defaultProps: { size: "sm" } },
    Textarea: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false } },
  },
});

/** The variables of the app's style sheets, for both color schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": gray[6],
    "--mantine-color-placeholder": "#79736a",
    "--mantine-color-anchor": accent[7],
    "--mantine-color-default-border": gray[3],
    "--mantine-color-error": red[7],
    "--mantine-color-red-text": red[7],
    "--mantine-color-red-light-color": red[7],
    "--gh-canvas": gray[0],
    "--gh-line": gray[2],
    "--gh-hover": "#f7f5f2",
    "--gh-code": gray[1],
    "--gh-selected": accent[0],
    "--gh-good": "#1d6b41",
    "--gh-good-back": "#e5f2e9",
    "--gh-warn": "#835000",
    "--gh-warn-back": "#faefd9",
    "--gh-bad": "#a3281f",
    "--gh-bad-back": "#fbe8e6",
    "--gh-info": "#2b5797",
    "--gh-info-back": "#e7eef8",
    "--gh-quiet": gray[7],
    "--gh-quiet-back": gray[1],
  },
  dark: {
    "--mantine-color-body": dark[7],
    "--mantine-color-text": dark[0],
    "--mantine-color-dimmed": dark[2],
    "--mantine-color-placeholder": "#8f897f",
    "--mantine-color-anchor": accent[3],
    "--mantine-color-default": dark[6],
    "--mantine-color-default-hover": dark[5],
    "--mantine-color-default-border": dark[4],
    "--mantine-color-error": "#f0938a",
    "--mantine-color-red-text": "#f0938a",
    "--mantine-color-red-light-color": "#f0938a",
    "--gh-canvas": dark[8],
    "--gh-line": dark[5],
    "--gh-hover": "#221f1d",
    "--gh-code": dark[6],
    "--gh-selected": "#1b2b26",
    "--gh-good": "#83d0a0",
    "--gh-good-back": "#183022",
    "--gh-warn": "#e7b866",
    "--gh-warn-back": "#352812",
    "--gh-bad": "#f0938a",
    "--gh-bad-back": "#3b1c19",
    "--gh-info": "#a1bcec",
    "--gh-info-back": "#1c273a",
    "--gh-quiet": dark[1],
    "--gh-quiet-back": dark[6],
  },
});

export {
  type ChoiceSettingName,
  forEachNumberSetting,
  type NumberSettingName,
  SETTINGS,
  type SettingName,
  type Settings,
  type SwitchSettingName,
  settingDescription,
} from "./declarations.ts";
export { changeSettings, readSettings, SETTINGS_ID } from "./store.ts";

export const accessKey = ["access"] as const;

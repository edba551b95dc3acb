/** Mesh plugins in the configuration. */
import * as z from 'zod';

export interface PluginConfig {
  /** Specifier for `import()`: a package, or the URL of a module. */
  readonly module: string;
  readonly settings?: unknown;
}

export const pluginConfigs: z.ZodType<readonly PluginConfig[] | undefined> = z
  .array(z.strictObject({ module: z.string().min(1), settings: z.unknown().optional() }))
  .optional();

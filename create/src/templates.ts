/** A template: a folder of `templates/`, by its description. */
export const TEMPLATES = {
  vue: 'Vue and Vite',
  nuxt: 'Nuxt, rendered on the server',
  service: 'Node service that stores transfers in PostgreSQL',
  shop: 'shop: orders, payments by QR code, webhooks and refunds',
  vanilla: 'RxJS and Vite, without a framework',
} as const

export type TemplateName = keyof typeof TEMPLATES

export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as readonly TemplateName[]

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name)

/** The folders of `templates/` whose files an app of a template has. */
const FOLDERS: Readonly<Record<TemplateName, readonly string[]>> = {
  vue: ['_shared/page', '_shared/vite', '_shared/vue', 'vue'],
  nuxt: ['_shared/page', '_shared/vue', 'nuxt'],
  service: ['_shared/server', 'service'],
  shop: ['_shared/page', '_shared/server', 'shop'],
  vanilla: ['_shared/page', '_shared/vite', 'vanilla'],
}

export const foldersOf = (template: TemplateName): readonly string[] => FOLDERS[template]

/** Stands in shared files, and as a folder, for that of an app's sources. */
const SOURCES = '_sources'

/** A path, or the text of a file, as an app of a template has it. */
export const toSources = (text: string, template: TemplateName): string =>
  text.replaceAll(`${SOURCES}/`, template === 'nuxt' ? 'app/' : 'src/')

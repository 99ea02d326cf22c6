/** A template: a folder of `templates/`. */
export const TEMPLATES = {
  vue: 'Vue and Vite',
  nuxt: 'Nuxt, rendered on the server',
  service: 'Node service that stores transfers in PostgreSQL',
  vanilla: 'RxJS and Vite, without a framework',
} as const

export type TemplateName = keyof typeof TEMPLATES

export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as readonly TemplateName[]

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name)

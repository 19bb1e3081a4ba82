// The metadata fields that have names of their own: which tag each is read from.

/** `meta` attribute that names the value. */
type MetaKey = "name" | "property";

export interface MetadataField {
  /** Key in the Document's metadata. */
  readonly field: string;
  readonly by: MetaKey;
  readonly key: string;
  /** `first` value wins, `all` values as a list, or `joined` with ", ". */
  readonly take: "first" | "all" | "joined";
}

const fields = (by: MetaKey, take: MetadataField["take"], names: Record<string, string>): MetadataField[] =>
  Object.entries(names).map(([field, key]) => ({ field, by, key, take }));

export const metadataFields: readonly MetadataField[] = [
  ...fields("name", "joined", { description: "description" }),
  ...fields("property", "first", {
    ogTitle: "og:title",
    ogDescription: "og:description",
    ogUrl: "og:url",
    ogImage: "og:image",
    ogAudio: "og:audio",
    ogDeterminer: "og:determiner",
    ogLocale: "og:locale",
    ogSiteName: "og:site_name",
    ogVideo: "og:video",
    publishedTime: "article:published_time",
    modifiedTime: "article:modified_time",
  }),
  ...fields("property", "all", { ogLocaleAlternate: "og:locale:alternate" }),
  ...fields("name", "first", {
    articleSection: "article:section",
    articleTag: "article:tag",
    dcTermsKeywords: "dcterms.keywords",
    dcDescription: "dc.description",
    dcSubject: "dc.subject",
    dcTermsSubject: "dcterms.subject",
    dcTermsAudience: "dcterms.audience",
    dcType: "dc.type",
    dcTermsType: "dcterms.type",
    dcDate: "dc.date",
    dcDateCreated: "dc.date.created",
    dcTermsCreated: "dcterms.created",
  }),
];

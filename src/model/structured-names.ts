/** The names by which callers ask for declared data: names of fields, and where schema.org has their values. */

/** Small letters and digits: `datePublished`, `date_published` and `Date published` are one name. */
export function plainName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Paths of values by the field's plain name, the likeliest first; the first that leads to a value counts. A field is
 * also looked up by its own name, at the top of a thing and one step below.
 */
export const fieldPaths: Readonly<Record<string, readonly string[]>> = {
  name: ["name", "headline"],
  title: ["headline", "name", "title"],
  headline: ["headline", "name"],
  summary: ["description", "abstract"],
  about: ["description"],
  image: ["image", "thumbnailUrl"],
  imageurl: ["image", "thumbnailUrl"],
  images: ["image"],
  photo: ["image"],
  photos: ["image"],
  link: ["url"],
  date: ["startDate", "datePublished", "datePosted", "uploadDate"],
  category: ["category", "articleSection", "recipeCategory", "applicationCategory"],
  // Things that are sold
  price: ["offers.price", "offers.priceSpecification.price", "hasVariant.offers.price"],
  currency: [
    "offers.priceCurrency",
    "offers.priceSpecification.priceCurrency",
    "baseSalary.currency",
    "hasVariant.offers.priceCurrency",
  ],
  pricecurrency: ["offers.priceCurrency", "offers.priceSpecification.priceCurrency", "hasVariant.offers.priceCurrency"],
  lowprice: ["offers.lowPrice"],
  minprice: ["offers.lowPrice"],
  lowestprice: ["offers.lowPrice"],
  highprice: ["offers.highPrice"],
  maxprice: ["offers.highPrice"],
  highestprice: ["offers.highPrice"],
  variants: ["hasVariant"],
  colour: ["color"],
  availability: ["offers.availability"],
  instock: ["offers.availability"],
  available: ["offers.availability"],
  isavailable: ["offers.availability"],
  condition: ["offers.itemCondition", "itemCondition"],
  seller: ["offers.seller.name", "offers.seller"],
  brand: ["brand.name", "brand", "manufacturer.name"],
  manufacturer: ["manufacturer.name", "manufacturer", "brand.name"],
  gtin: ["gtin", "gtin13", "gtin12", "gtin8", "gtin14"],
  ean: ["gtin13", "gtin"],
  // What readers say
  rating: ["aggregateRating.ratingValue"],
  ratingvalue: ["aggregateRating.ratingValue"],
  averagerating: ["aggregateRating.ratingValue"],
  stars: ["aggregateRating.ratingValue"],
  reviewcount: ["aggregateRating.reviewCount", "aggregateRating.ratingCount"],
  ratingcount: ["aggregateRating.ratingCount", "aggregateRating.reviewCount"],
  numberofreviews: ["aggregateRating.reviewCount"],
  reviewscount: ["aggregateRating.reviewCount"],
  // Texts
  author: ["author.name", "author", "creator.name"],
  authors: ["author.name", "author"],
  writer: ["author.name", "author"],
  publisher: ["publisher.name", "publisher"],
  published: ["datePublished"],
  publishedat: ["datePublished"],
  publisheddate: ["datePublished"],
  publishdate: ["datePublished"],
  publicationdate: ["datePublished"],
  modified: ["dateModified"],
  modifiedat: ["dateModified"],
  updated: ["dateModified"],
  updatedat: ["dateModified"],
  section: ["articleSection"],
  tags: ["keywords"],
  language: ["inLanguage"],
  pages: ["numberOfPages"],
  pagecount: ["numberOfPages"],
  // Films and music
  director: ["director.name", "director"],
  directors: ["director.name", "director"],
  actors: ["actor.name", "actor", "actors.name"],
  cast: ["actor.name", "actor", "actors.name"],
  genres: ["genre"],
  runtime: ["duration"],
  releasedate: ["releaseDate", "datePublished"],
  released: ["releaseDate", "datePublished"],
  artist: ["byArtist.name", "byArtist"],
  // Recipes
  ingredients: ["recipeIngredient", "ingredients"],
  ingredient: ["recipeIngredient"],
  instructions: ["recipeInstructions"],
  steps: ["recipeInstructions", "step"],
  directions: ["recipeInstructions"],
  method: ["recipeInstructions"],
  servings: ["recipeYield"],
  yield: ["recipeYield"],
  cuisine: ["recipeCuisine"],
  course: ["recipeCategory"],
  calories: ["nutrition.calories"],
  preparationtime: ["prepTime"],
  cookingtime: ["cookTime"],
  // Events
  start: ["startDate"],
  starts: ["startDate"],
  startsat: ["startDate"],
  starttime: ["startDate"],
  end: ["endDate"],
  ends: ["endDate"],
  endsat: ["endDate"],
  endtime: ["endDate"],
  venue: ["location.name"],
  location: ["location.name", "jobLocation.address", "location.address", "location"],
  organizer: ["organizer.name", "organizer"],
  organiser: ["organizer.name", "organizer"],
  performer: ["performer.name", "performer"],
  performers: ["performer.name", "performer"],
  // Places
  address: ["address", "location.address", "jobLocation.address"],
  street: ["address.streetAddress", "location.address.streetAddress", "jobLocation.address.streetAddress"],
  city: ["address.addressLocality", "location.address.addressLocality", "jobLocation.address.addressLocality"],
  region: ["address.addressRegion", "location.address.addressRegion", "jobLocation.address.addressRegion"],
  country: ["address.addressCountry", "location.address.addressCountry", "jobLocation.address.addressCountry"],
  postalcode: ["address.postalCode", "location.address.postalCode", "jobLocation.address.postalCode"],
  zip: ["address.postalCode"],
  zipcode: ["address.postalCode"],
  phone: ["telephone"],
  phonenumber: ["telephone"],
  tel: ["telephone"],
  emailaddress: ["email"],
  sociallinks: ["sameAs"],
  socialprofiles: ["sameAs"],
  // Jobs
  jobtitle: ["title"],
  position: ["title"],
  role: ["title"],
  company: ["hiringOrganization.name", "hiringOrganization"],
  companyname: ["hiringOrganization.name"],
  employer: ["hiringOrganization.name", "hiringOrganization"],
  salary: ["baseSalary.value.value", "baseSalary.value"],
  salarymin: ["baseSalary.value.minValue"],
  minsalary: ["baseSalary.value.minValue"],
  salarymax: ["baseSalary.value.maxValue"],
  maxsalary: ["baseSalary.value.maxValue"],
  salarycurrency: ["baseSalary.currency"],
  salaryunit: ["baseSalary.value.unitText"],
  posted: ["datePosted"],
  postedat: ["datePosted"],
  posteddate: ["datePosted"],
  deadline: ["validThrough"],
  expires: ["validThrough"],
};

const ofCompany = { companyname: ["name"], website: ["url"], homepage: ["url"] };

/** Paths that apply only to things of one type: a product has a `name` too, but it is no question. */
const pathsOfType: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Corporation: ofCompany,
  LocalBusiness: ofCompany,
  Organization: ofCompany,
  Question: { question: ["name", "text"], answer: ["acceptedAnswer", "suggestedAnswer"] },
};

export function pathsTo(field: string, types: readonly string[]): readonly string[] {
  for (const type of types) {
    const paths = Object.hasOwn(pathsOfType, type) ? pathsOfType[type]! : {};
    if (Object.hasOwn(paths, field)) return paths[field]!;
  }
  return Object.hasOwn(fieldPaths, field) ? fieldPaths[field]! : [];
}

/** All names of fields whose values have other names in schema.org. */
export function fieldsOf(types: readonly string[]): string[] {
  const own = types.flatMap((type) => (Object.hasOwn(pathsOfType, type) ? Object.keys(pathsOfType[type]!) : []));
  return [...Object.keys(fieldPaths), ...own];
}

/** Open Graph tags by the field's plain name, for pages that declare nothing else. */
export const fieldTags: Readonly<Record<string, readonly string[]>> = {
  title: ["og:title"],
  headline: ["og:title"],
  description: ["og:description"],
  summary: ["og:description"],
  image: ["og:image"],
  imageurl: ["og:image"],
  url: ["og:url"],
  sitename: ["og:site_name"],
  price: ["product:price:amount", "og:price:amount"],
  currency: ["product:price:currency", "og:price:currency"],
  pricecurrency: ["product:price:currency", "og:price:currency"],
  availability: ["product:availability", "og:availability"],
  brand: ["product:brand"],
  published: ["article:published_time"],
  publishedat: ["article:published_time"],
  publisheddate: ["article:published_time"],
  datepublished: ["article:published_time"],
  modified: ["article:modified_time"],
  modifiedat: ["article:modified_time"],
  datemodified: ["article:modified_time"],
  updatedat: ["article:modified_time"],
  section: ["article:section"],
  tags: ["article:tag"],
};

/** Fields that nearly every thing has: they do not say what a schema is about. */
export const generalFields: ReadonlySet<string> = new Set(
  "name title headline description summary about image imageurl images url link id language sitename".split(" "),
);

/** Properties whose values are things in their own right: what they have says nothing about the thing that names them. */
export const otherThings: ReadonlySet<string> = new Set(
  "isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor review reviews comment comments citation mentions subjectOf".split(
    " ",
  ),
);

/** Types that describe the page and its site rather than what the page is about; used only if there is nothing else. */
export const furniture: ReadonlySet<string> = new Set(
  (
    "WebSite WebPage ItemPage CollectionPage SearchResultsPage ProfilePage CheckoutPage BreadcrumbList Breadcrumb ListItem Organization " +
    "Corporation Person Brand ImageObject SearchAction SiteNavigationElement WPHeader WPFooter WPSideBar Offer AggregateRating " +
    "Rating Review Comment PostalAddress ContactPoint ReadAction EntryPoint hentry h-card ItemList OfferCatalog Thing"
  ).split(" "),
);

/** Types under the names by which lists of them are asked for, in the singular: `jobs` are of the type JobPosting. */
export const typeNames: Readonly<Record<string, readonly string[]>> = {
  product: ["Product", "ProductGroup", "Vehicle", "Car", "Book"],
  recipe: ["Recipe"],
  article: ["Article", "NewsArticle", "BlogPosting", "TechArticle", "Report"],
  post: ["BlogPosting", "Article", "SocialMediaPosting"],
  blogpost: ["BlogPosting", "Article"],
  news: ["NewsArticle"],
  job: ["JobPosting"],
  jobposting: ["JobPosting"],
  vacancy: ["JobPosting"],
  opening: ["JobPosting"],
  position: ["JobPosting"],
  event: ["Event"],
  book: ["Book"],
  movie: ["Movie"],
  film: ["Movie"],
  course: ["Course"],
  person: ["Person"],
  people: ["Person"],
  company: ["Organization", "Corporation", "LocalBusiness"],
  organization: ["Organization", "Corporation", "LocalBusiness"],
  restaurant: ["Restaurant", "FoodEstablishment"],
  place: ["Place", "LocalBusiness"],
  faq: ["Question"],
  question: ["Question"],
  review: ["Review"],
};

/** `FoodEvent` and `MusicEvent` are events. */
export function isOfType(types: readonly string[], wanted: readonly string[]): boolean {
  return types.some((type) => wanted.some((name) => type === name || (name === "Event" && type.endsWith("Event"))));
}

/** Types of the things in a list or object of this name; undefined if the name does not tell. */
export function typesNamed(name: string): readonly string[] | undefined {
  const [plain, singular] = plainNames(name);
  const named = (key: string) => (Object.hasOwn(typeNames, key) ? typeNames[key] : undefined);
  return named(plain) ?? named(singular);
}

/** Names of lists that contain whatever a page lists. */
const ofAnything: ReadonlySet<string> = new Set(
  "item result entry element listing record row hit object thing data list".split(" "),
);

export function holdsAnything(name: string): boolean {
  return ofAnything.has(plainNames(name)[1]);
}

/** Tells whether a list of this name contains things of given types: types known for the name, or named like the list. */
export function listedAs(name: string): (types: readonly string[]) => boolean {
  const wanted = typesNamed(name);
  if (wanted !== undefined) return (types) => isOfType(types, wanted);
  const names = plainNames(name);
  return (types) => types.some((type) => names.includes(plainName(type)));
}

/** The plain name as it is, and in the singular. */
function plainNames(name: string): [string, string] {
  const plain = plainName(name);
  return [plain, plain.endsWith("ies") ? `${plain.slice(0, -3)}y` : plain.replace(/s$/, "")];
}

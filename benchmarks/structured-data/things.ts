/** Made-up things as pages declare them, with questions about them and the right answers. */

export interface Thing {
  readonly kind: string;
  readonly type: string;
  /** As declared, with schema.org's names. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** What a caller asks for. */
  readonly schema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  readonly expected: Readonly<Record<string, unknown>>;
}

const text = { type: "string" };
const number = { type: "number" };
const texts = { type: "array", items: text };

function product(name: string, brand: string, price: number, rating: number, stock: boolean): Thing {
  return {
    kind: "product",
    type: "Product",
    declared: {
      name,
      sku: `SKU-${price}`,
      brand: { "@type": "Brand", name: brand },
      offers: {
        "@type": "Offer",
        price: price.toFixed(2),
        priceCurrency: "EUR",
        availability: `https://schema.org/${stock ? "InStock" : "OutOfStock"}`,
      },
      aggregateRating: { "@type": "AggregateRating", ratingValue: String(rating), reviewCount: "37" },
    },
    schema: {
      type: "object",
      properties: {
        name: text,
        brand: text,
        price: number,
        currency: text,
        in_stock: { type: "boolean" },
        rating: number,
        review_count: { type: "integer" },
      },
      required: ["name", "price"],
    },
    expected: { name, brand, price, currency: "EUR", in_stock: stock, rating, review_count: 37 },
  };
}

function recipe(name: string, ingredients: readonly string[], steps: readonly string[], minutes: number): Thing {
  return {
    kind: "recipe",
    type: "Recipe",
    declared: {
      name,
      author: { "@type": "Person", name: "Ida Holm" },
      recipeIngredient: ingredients,
      recipeInstructions: steps.map((step) => ({ "@type": "HowToStep", text: step })),
      prepTime: `PT${minutes}M`,
      recipeYield: "4 servings",
    },
    schema: {
      type: "object",
      properties: { title: text, author: text, ingredients: texts, steps: texts, prepTime: text, servings: text },
      required: ["title", "ingredients"],
    },
    expected: {
      title: name,
      author: "Ida Holm",
      ingredients,
      steps,
      prepTime: `PT${minutes}M`,
      servings: "4 servings",
    },
  };
}

function event(name: string, start: string, end: string, venue: string, city: string): Thing {
  return {
    kind: "event",
    type: "MusicEvent",
    declared: {
      name,
      startDate: start,
      endDate: end,
      location: { "@type": "Place", name: venue, address: { "@type": "PostalAddress", addressLocality: city } },
      organizer: { "@type": "Organization", name: "Town Concerts" },
    },
    schema: {
      type: "object",
      properties: { name: text, start_date: text, end_date: text, venue: text, city: text, organizer: text },
      required: ["name", "start_date"],
    },
    expected: { name, start_date: start, end_date: end, venue, city, organizer: "Town Concerts" },
  };
}

function article(headline: string, author: string, published: string, section: string): Thing {
  return {
    kind: "article",
    type: "NewsArticle",
    declared: {
      headline,
      author: { "@type": "Person", name: author },
      datePublished: `${published}T08:00:00Z`,
      articleSection: section,
      publisher: { "@type": "Organization", name: "The Valley Post" },
    },
    schema: {
      type: "object",
      properties: {
        title: text,
        author: text,
        published_date: { type: "string", format: "date" },
        section: text,
        publisher: text,
      },
      required: ["title"],
    },
    expected: { title: headline, author, published_date: published, section, publisher: "The Valley Post" },
  };
}

function job(title: string, company: string, city: string, low: number, high: number): Thing {
  return {
    kind: "job posting",
    type: "JobPosting",
    declared: {
      title,
      hiringOrganization: { "@type": "Organization", name: company },
      jobLocation: {
        "@type": "Place",
        address: { "@type": "PostalAddress", addressLocality: city, addressCountry: "SE" },
      },
      baseSalary: {
        "@type": "MonetaryAmount",
        currency: "SEK",
        value: { "@type": "QuantitativeValue", minValue: low, maxValue: high, unitText: "MONTH" },
      },
      employmentType: "FULL_TIME",
      datePosted: "2026-03-02",
      validThrough: "2026-04-30",
    },
    schema: {
      type: "object",
      properties: {
        job_title: text,
        company: text,
        city: text,
        salary_min: number,
        salary_max: number,
        employment_type: text,
        date_posted: text,
        deadline: text,
      },
      required: ["job_title", "company"],
    },
    expected: {
      job_title: title,
      company,
      city,
      salary_min: low,
      salary_max: high,
      employment_type: "FULL_TIME",
      date_posted: "2026-03-02",
      deadline: "2026-04-30",
    },
  };
}

export const things: readonly Thing[] = [
  product("Copper kettle", "Hearth", 49.5, 4.6, true),
  product("Folding lamp", "Lux & Sons", 120, 3.9, false),
  product("Walnut chopping board", "Kvist", 35.25, 4.8, true),
  recipe(
    "Lentil soup",
    ["200 g red lentils", "1 onion", "1 l stock"],
    ["Fry the onion.", "Add lentils and stock.", "Simmer for 20 minutes."],
    15,
  ),
  recipe("Rye crispbread", ["300 g rye flour", "10 g salt"], ["Mix.", "Roll thin.", "Bake."], 40),
  event("Winter quartet", "2026-12-05T19:30", "2026-12-05T21:30", "Old Mill", "Falun"),
  event("Harvest dance", "2026-09-19T18:00", "2026-09-19T23:00", "Barn Hall", "Mora"),
  article("River bridge opens after two years", "Nils Berg", "2026-05-04", "Local"),
  article("A quiet harvest", "Asta Lind", "2026-08-21", "Farming"),
  job("Carpenter", "Timber House AB", "Umeå", 32000, 38000),
  job("Night nurse", "Lake Hospital", "Östersund", 36000, 41000),
];

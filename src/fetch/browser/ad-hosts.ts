/**
 * Well-known hosts of advertising, tracking and analytics, by kind, and patterns of URLs under which sites serve such
 * scripts themselves. Collected by hand; each host includes its subdomains. `browser.filterLists` adds more.
 */

export const adHosts: Readonly<Record<string, string>> = {
  /** Exchanges, ad servers and the networks behind them. */
  advertising: `
    doubleclick.net googlesyndication.com googleadservices.com googletagservices.com adservice.google.com 2mdn.net
    amazon-adsystem.com adnxs.com adsrvr.org rubiconproject.com pubmatic.com openx.net criteo.com criteo.net
    casalemedia.com indexww.com smartadserver.com adform.net adition.com yieldlab.net improvedigital.com 360yield.com
    bidswitch.net sharethrough.com triplelift.com 3lift.com teads.tv sovrn.com lijit.com gumgum.com media.net
    contextweb.com districtm.io emxdgt.com spotxchange.com spotx.tv springserve.com tremorhub.com advertising.com
    adtechus.com yahoo-ads.com flashtalking.com serving-sys.com sizmek.com mookie1.com mathtag.com turn.com
    rlcdn.com simpli.fi adroll.com stackadapt.com basis.net centro.net sitescout.com zemanta.com liadm.com
    undertone.com kargo.com conversantmedia.com dotomi.com fastclick.net mediaplex.com tribalfusion.com exponential.com
    adcolony.com applovin.com unityads.unity3d.com vungle.com chartboost.com inmobi.com mopub.com startapp.com
    propellerads.com popads.net popcash.net adcash.com exoclick.com exosrv.com juicyads.com trafficjunky.net
    trafficstars.com adsterra.com hilltopads.net clickadu.com mgid.com revcontent.com adblade.com content.ad
    buysellads.com buysellads.net carbonads.com carbonads.net ethicalads.io infolinks.com intellitxt.com vibrantmedia.com
    skimresources.com viglink.com sovrn.co linksynergy.com awin1.com zanox.com tradedoubler.com shareasale.com
    pepperjam.com webgains.com admitad.com yandexadexchange.net an.yandex.ru adfox.ru adriver.ru begun.ru
    mail-ads.ru adlabs.ru relap.io luckyads.pro aidata.io ad.mail.ru tanx.com alimama.cn mmstat.com
    adkernel.com adtelligent.com admixer.net bidvertiser.com bidgear.com setupad.net ezoic.net ezojs.com
    mediavine.com adthrive.com raptive.com snigelweb.com freestar.com freestar.io playwire.com venatusmedia.com
    nitropay.com publift.com monumetric.com sekindo.com primis.tech aniview.com connatix.com vidoomy.com exco.com
    adsafeprotected.com doubleverify.com moatads.com adlooxtracking.com confiant-integrations.net geoedge.be
    imrworldwide.com adhigh.net adgrx.com adotmob.com beachfront.com brealtime.com cpmstar.com onetag-sys.com
    rtbhouse.com rtbhouse.net seedtag.com smaato.net smartclip.net stroeerdigitalgroup.de
    theadex.com unrulymedia.com yieldmo.com yieldlove.com zergnet.com zedo.com adthink.com adup-tech.com ligatus.com
    plista.com outbrain.com outbrainimg.com taboola.com taboolasyndication.com dianomi.com nativo.com postrelease.com
    adnami.io adblockanalytics.com getadmiral.com blockadblock.com pagefair.com pagefair.net`,
  /** Counting visitors and what they do. */
  analytics: `
    google-analytics.com googletagmanager.com analytics.google.com app-measurement.com
    scorecardresearch.com quantserve.com quantcount.com chartbeat.com chartbeat.net parsely.com parse.ly comscore.com
    omtrdc.net 2o7.net demdex.net everesttech.net adobedtm.com statcounter.com histats.com clicky.com getclicky.com
    hotjar.com hotjar.io clarity.ms fullstory.com mouseflow.com luckyorange.com luckyorange.net crazyegg.com
    inspectlet.com smartlook.com smartlook.cloud sessioncam.com logrocket.io lr-ingest.io logrocket.com lr-in.com
    contentsquare.net clicktale.net quantummetric.com glassboxdigital.io decibelinsight.net heapanalytics.com
    heap.io mixpanel.com mxpnl.com amplitude.com segment.io segment.com kissmetrics.com woopra.com pendo.io
    indicative.com posthog.com rudderlabs.com mparticle.com tealiumiq.com tiqcdn.com ensighten.com
    matomo.cloud piwik.pro etracker.com etracker.de econda.de webtrekk.net wt-safetag.com mapp.com ioam.de
    iocnt.net ivwbox.de xiti.com at-internet.com eulerian.net mc.yandex.ru mc.yandex.com metrika.yandex.ru
    top-fwz1.mail.ru counter.yadro.ru hotlog.ru hm.baidu.com cnzz.com umeng.com tongji.baidu.com
    plausible.io usefathom.com goatcounter.com simpleanalyticscdn.com simpleanalytics.com umami.is
    cloudflareinsights.com vitals.vercel-insights.com va.vercel-scripts.com
    newrelic.com nr-data.net bugsnag.com rollbar.com raygun.io trackjs.com speedcurve.com go-mpulse.net
    akstat.io boomtrain.com browser-intake-datadoghq.com datadoghq-browser-agent.com sentry-cdn.com ingest.sentry.io
    appdynamics.com dynatrace.com ruxit.com pingdom.net optimizely.com vwo.com
    visualwebsiteoptimizer.com abtasty.com kameleoon.eu kameleoon.com dynamicyield.com monetate.net
    convertexperiments.com`,
  /** Following people from site to site. */
  tracking: `
    connect.facebook.net facebook.com/tr pixel.facebook.com analytics.tiktok.com ads-twitter.com analytics.twitter.com
    snap.licdn.com ads.linkedin.com ct.pinterest.com sc-static.net
    tr.snapchat.com bat.bing.com bat.bing.net redditstatic.com/ads events.redditmedia.com q.quora.com a.quora.com
    bluekai.com bkrtx.com krxd.net exelator.com eyeota.net lotame.com crwdcntrl.net tapad.com agkn.com neustar.biz
    adsymptotic.com id5-sync.com liveintent.com liveramp.com pippio.com intentiq.com 33across.com zeotap.com
    permutive.com permutive.app weborama.com weborama.fr acuityplatform.com addthis.com addtoany.com sharethis.com
    shareaholic.com po.st hubspot.com/analytics hs-analytics.net hsadspixel.net hs-banner.com pardot.com
    marketo.net mktoresp.com eloqua.com en25.com leadfeeder.com leadforensics.com clearbit.com 6sc.co bizible.com
    demandbase.com bombora.com ml314.com terminus.services albacross.com
    branch.io app.link adjust.com appsflyer.com kochava.com singular.net impactradius-event.com impact.com
    bounceexchange.com bouncex.net wunderkind.co cdn.attn.tv attentivemobile.com klaviyo.com listrakbi.com
    steelhousemedia.com justpremium.com owneriq.net nexac.com rfihub.com truoptik.com semasio.net
    onaudience.com adsquare.com admedo.com captify.co.uk fingerprint.com fpjs.io fpcdn.io iovation.com
    snowplowanalytics.com tvsquared.com`,
  /** Windows that ask, chat, or push. */
  nuisance: `
    onesignal.com pushwoosh.com pushcrew.com pushengage.com webpushr.com izooto.com subscribers.com sendpulse.com
    optinmonster.com opmnstr.com omappapi.com sumo.com sumome.com privy.com justuno.com wisepops.com
    getsitecontrol.com poptin.com intercom.io intercomcdn.com drift.com driftt.com tawk.to zopim.com livechatinc.com
    olark.com crisp.chat smartsupp.com tidio.co tidiochat.com freshchat.com userlike.com
    qualtrics.com/jsapi foresee.com usabilla.com surveymonkey.com/collect hellobar.com`,
};

/** URL shapes with `*` for anything. */
export const adUrls: readonly string[] = [
  "*/pagead/js/*",
  "*/adsbygoogle.js*",
  "*/show_ads.js*",
  "*/show_ads_impl*",
  "*/tag/js/gpt.js*",
  "*/gampad/ads?*",
  "*/prebid*.js*",
  "*/apstag.js*",
  "*/adserver/*.js*",
  "*/ad-manager/*.js*",
  "*/gtm.js?id=*",
  "*/gtag/js?id=*",
  "*/__utm.gif?*",
  "*/g/collect?v=2*",
  "*/j/collect?v=1*",
  "*/r/collect?v=1*",
  "*/fbevents.js*",
  "*/tr?id=*&ev=*",
  "*/matomo.js*",
  "*/matomo.php?*",
  "*/piwik.js*",
  "*/piwik.php?*",
  "*/hotjar-*.js*",
  "*/clarity.js*",
  "*/chartbeat.js*",
  "*/s_code.js*",
  "*/AppMeasurement*.js*",
  "*/utag.js*",
  "*/beacon.min.js*",
  "*/cdn-cgi/rum?*",
  "*/cdn-cgi/zaraz/*",
  "*/_vercel/insights/*",
  "*/_vercel/speed-insights/*",
  "*/insight.min.js*",
  "*/uwt.js*",
  "*/yandex/metrika/*",
  "*/metrika/tag.js*",
  "*/mmapi.js*",
  "*/ezoic/*.js*",
  "*/taboola/loader.js*",
  "*/outbrain.js*",
  "*/moatad.js*",
  "*/quant.js*",
  "*/sensorsdata.min.js*",
];

"""Stop words: articles, pronouns, prepositions, auxiliaries."""

from __future__ import annotations

from treaty.errors import UsageError

__all__ = ["stop_words"]

WORDS = {
    "de": """
        ab aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dein dem
        den denn der des die dies diese diesem diesen dieser dieses doch dort du durch ein eine
        einem einen einer eines er es euch euer für gegen habe haben hat hatte hatten hier ich ihm
        ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede jeder jedes kein keine können man
        mein mich mir mit nach nicht noch nun nur ob oder ohne schon sehr sein seine seinem seinen
        seiner seit sich sie sind so sondern soll über um und uns unser unter vom von vor war waren
        warum was weil wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen""",
    "el": """
        αλλά αν από απ αυτά αυτές αυτή αυτό αυτοί αυτός αυτού αυτών για δε δεν εγώ εδώ εκεί εκείνη
        εκείνο εκείνος εμείς εν ενώ εσείς εσύ έχει έχουν ή η ήταν θα και κάθε κατά κι μα μας με μετά
        μέχρι μη μην μια μία μου να ο οι όμως όπως ό,τι όταν ότι ούτε παρά περί που ποια ποιο ποιος
        πολύ πού πριν προς πως πώς σαν σας σε στα στη στην στις στο στον στους στων συν τα τη την
        της τις το τον του τους των τώρα υπό ως ώστε είναι είχε είχαν ένα έναν ένας""",
    "en": """
        a about above after again against all also am an and any are as at be because been before
        being below between both but by can could did do does doing down during each few for from
        further had has have having he her here hers herself him himself his how i if in into is it
        its itself just me might more most must my myself no nor not now of off on once only or
        other our ours ourselves out over own same shall she should so some such than that the
        their theirs them themselves then there these they this those through to too under until up
        us very was we were what when where which while who whom whose why will with would you your
        yours yourself yourselves""",
    "es": """
        a al algo ante antes como con contra cual cuando de del desde donde durante e el él ella
        ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos
        fue fueron ha había han hasta hay la las le les lo los más me mi mí muy nada ni no nos
        nosotros o os otra otro para pero poco por porque que qué quien se sea ser si sí sin sobre
        son su sus también tanto te tiene tienen todo todos tu tú tus un una uno unos y ya yo""",
    "fr": """
        à ai au aucun aussi autre aux avait avant avec avoir c car ce cela ces cet cette ceux chez
        comme d dans de depuis des donc dont du elle elles en encore entre est et étaient était été
        être eu eux fait ici il ils j je jusqu l la le les leur leurs lors lui m ma mais me même
        mes moi mon n ne ni nos notre nous on ont ou où par pas pendant peut plus pour puis qu quand
        que quel quelle qui s sa sans se sera ses si son sont sous sur t ta te tes toi ton tous tout
        toute très tu un une vers vos votre vous y""",
    "it": """
        a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci come con contro cui da
        dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dove e è ed era
        erano essere fra fu già gli ha hanno ho i il in io l la le lei li lo loro lui ma me mi mia
        mio molto ne negli nei nel nell nella nelle nello no noi non nostro o ogni per perché più
        prima quale quando quanto quella quelle quelli quello questa queste questi questo qui se sei
        si sia sono sopra sotto stata stati stato su sua sue sugli sui sul sulla sulle suo suoi
        tra tu tutti tutto un una uno vi voi""",
    "nl": """
        aan al alle als ben bij daar dan dat de deze die dit doch doen door dus een en er ge geen
        had hadden heb hebben heeft hem het hier hij hoe hun iets ik in is ja je kan kon kunnen maar
        me meer men met mij mijn na naar niet niets nog nu of om omdat onder ons ook op over reeds
        te tegen toch toen tot u uit uw van veel voor want waren was wat we wel werd werden wie wij
        wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou zullen""",
    "pt": """
        a à ao aos aquela aquele aqueles aquilo as às até com como da das de dela dele deles depois
        do dos e é ela elas ele eles em entre era eram essa esse esta está estão este eu foi foram
        há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós o os ou para
        pela pelas pelo pelos por porque qual quando que quem são se sem ser seu seus só sobre sua
        suas também te tem têm teu toda todo todos tu um uma você""",
}


def stop_words(language: str = "en") -> frozenset[str]:
    """Return the stop words of a language, in lower case.

    The lists are short and made for Treaty: function words only, nothing that could be a topic.

    Parameters
    ----------
    language
        ISO 639-1 code: de, el, en, es, fr, it, nl or pt.

    Examples
    --------
    >>> "the" in stop_words(), "treaty" in stop_words()
    (True, False)
    """
    if language not in WORDS:
        raise UsageError(
            f"there are no stop words for the language {language!r}, only for "
            f"{', '.join(WORDS)}: give your own"
        )
    return frozenset(WORDS[language].split())

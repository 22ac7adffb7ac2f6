# ruff: noqa: E501
"""Short texts in other languages, and English ones that are easily taken for something else."""

OTHERS = {
    "German": "Der Zug nach München hat heute leider wieder Verspätung. Wir warten schon seit einer "
    "Stunde auf dem Bahnsteig, und niemand weiß, wann es endlich weitergeht.",
    "French": "Le train pour Lyon a encore du retard ce matin. Nous attendons sur le quai depuis une "
    "heure et personne ne sait quand il va enfin partir.",
    "Spanish": "El tren a Sevilla lleva otra vez mucho retraso. Estamos esperando en el andén desde "
    "hace una hora y nadie sabe cuándo va a salir.",
    "Italian": "Il treno per Roma è di nuovo in ritardo. Aspettiamo sul binario da un'ora e nessuno "
    "sa quando potremo finalmente partire.",
    "Portuguese": "O comboio para o Porto está outra vez atrasado. Estamos à espera há uma hora e "
    "ninguém sabe quando vai finalmente sair.",
    "Dutch": "De trein naar Utrecht heeft vandaag weer vertraging. We wachten al een uur op het perron "
    "en niemand weet wanneer hij eindelijk vertrekt.",
    "Danish": "Toget til Aarhus er igen forsinket i dag. Vi har ventet på perronen i en time, og ingen "
    "ved, hvornår det endelig kører.",
    "Swedish": "Tåget till Göteborg är försenat igen. Vi har väntat på perrongen i en timme och ingen "
    "vet när det äntligen går.",
    "Norwegian": "Toget til Bergen er forsinket igjen i dag. Vi har ventet på perrongen i en time, og "
    "ingen vet når det endelig går.",
    "Finnish": "Juna Tampereelle on taas myöhässä. Olemme odottaneet laiturilla jo tunnin, eikä kukaan "
    "tiedä, milloin se vihdoin lähtee.",
    "Polish": "Pociąg do Krakowa znowu jest opóźniony. Czekamy na peronie już od godziny i nikt nie "
    "wie, kiedy w końcu odjedzie.",
    "Czech": "Vlak do Brna má zase zpoždění. Čekáme na nástupišti už hodinu a nikdo neví, kdy konečně "
    "odjede.",
    "Turkish": "Ankara treni bugün yine gecikti. Bir saattir peronda bekliyoruz ve kimse ne zaman "
    "kalkacağını bilmiyor.",
    "Hungarian": "A szegedi vonat ma megint késik. Egy órája várunk a peronon, és senki sem tudja, "
    "mikor indul végre.",
    "Romanian": "Trenul spre Cluj are din nou întârziere. Așteptăm pe peron de o oră și nimeni nu știe "
    "când va pleca în sfârșit.",
    "Indonesian": "Kereta ke Bandung terlambat lagi hari ini. Kami sudah menunggu di peron selama satu "
    "jam dan tidak ada yang tahu kapan kereta itu berangkat.",
    "Latin": "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani. Hi "
    "omnes lingua, institutis, legibus inter se differunt.",
    "Russian": "Поезд в Казань сегодня снова опаздывает. Мы уже час ждём на платформе, и никто не "
    "знает, когда он наконец отправится.",
    "Greek": "Το τρένο για τη Θεσσαλονίκη έχει πάλι καθυστέρηση. Περιμένουμε στην αποβάθρα μία ώρα και "
    "κανείς δεν ξέρει πότε θα φύγει.",
    "Arabic": "القطار إلى الإسكندرية متأخر مرة أخرى اليوم. نحن ننتظر على الرصيف منذ ساعة ولا أحد يعرف "
    "متى سينطلق أخيرا.",
    "Hebrew": "הרכבת לחיפה שוב מאחרת היום. אנחנו מחכים על הרציף כבר שעה ואף אחד לא יודע מתי היא תצא "
    "סוף סוף.",
    "Japanese": "京都行きの電車は今日もまた遅れています。私たちはもう一時間ホームで待っていますが、"
    "いつ出発するのか誰も知りません。",
    "Chinese": "去南京的火车今天又晚点了。我们已经在站台上等了一个小时,没有人知道什么时候能出发。",
    "Hindi": "जयपुर जाने वाली ट्रेन आज फिर देर से चल रही है। हम एक घंटे से प्लेटफार्म पर इंतज़ार कर रहे हैं और "
    "किसी को नहीं पता कि वह कब चलेगी।",
}

ENGLISH = [
    "Birds sing.",
    "ok",
    "lol ur so right bro tbh idk wat 2 do w him anymore smh",
    "omg cant wait 4 tmrw!!! gonna b sooo fun wit u guys xoxo",
    "PRIME MINISTER TO FACE NEW VOTE AS PARTY SPLITS OVER BUDGET PLANS",
    "Dear Ms. Nakagawa, please find attached the invoice for March. Kind regards, Per Lindqvist",
    "def main(args):\n    for x in args:\n        print(x.strip())\n    return len(args)",
    "for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; } return sum;",
    "SELECT name, count(*) FROM users WHERE age > 30 GROUP BY name ORDER BY 2 DESC;",
    "2026-11-17 08:58:09 ERROR worker[12] connection to db-03.internal refused (errno 111)",
    'GET /index.html HTTP/1.1 200 5123 "Mozilla/5.0 (X11; Linux x86_64)"',
    "Müller, Jürgen\nGarcía Márquez, Gabriel\nBørsting, Søren\nŁukasz Wiśniewski\nZoë Ångström",
    "Borussia Dortmund 3, Bayern München 1\nReal Madrid 2, Atlético 2\nParis Saint-Germain 4, Nice 0",
    "Wien - Praha - Budapest - Kraków - Vilnius - Tallinn - Helsinki",
    "2 cups flour\n1 tsp salt\n3 eggs, beaten\n100 g butter, softened\na pinch of nutmeg",
    "Item  Qty  Price\nbolts  40  3.20\nwashers  80  1.10\nhinges  4  12.00",
    "Spaghetti alla puttanesca, gnocchi al pesto, tiramisu: I love them all.",
    "He shouted 'Achtung, der Zug!' and we all jumped back from the edge of the platform.",
    "The French phrase 'je ne sais quoi' means a quality that cannot be described.",
    "Homo sapiens, Canis lupus familiaris and Felis catus share much of their DNA.",
    "Quercus robur, Fagus sylvatica, Pinus sylvestris, Betula pendula, Acer platanoides",
    "The patient was given 40 mg pantoprazole and 5 mg bisoprolol; creatinine remained stable.",
    "Lorazepam, diazepam and clonazepam are benzodiazepines with differing half-lives.",
    "'Twas brillig, and the slithy toves did gyre and gimble in the wabe.",
    "Whan that Aprille with his shoures soote the droghte of March hath perced to the roote",
    "Thou shalt not covet thy neighbour's house, nor his ox, nor his ass.",
    "Och aye, the wee bairn wis greetin fur his mammy aw nicht lang.",
    "I dunno mate, reckon we oughta grab a cuppa n chinwag bout it arvo.",
    "http://example.com/a/b?c=d https://test.org www.foo.net/bar.html",
    "#throwback #nofilter #blessed #sunset #beachlife #goodvibesonly #travelgram",
    "@anna @bob_77 @carl thx!! see u @ the gig 2nite 🎉🎉🎉",
    "😂😂😂 💀 👍 ❤️ 🙏",
    "aaaaaaa hahahahaha noooooo whyyyyy",
    "buy milk\ncall mum\nfix bike\nrenew passport\nbook dentist",
    "qwerty asdf zxcv",
    "x = 3; y = 4; z = sqrt(x^2 + y^2)",
    "E = mc², F = ma, PV = nRT, a² + b² = c²",
    "Q3 EBITDA up 12% YoY; capex flat; FY26 guidance reiterated; div 0.45/sh.",
    "BTC/USD 61,250 +2.1% ETH 3,020 -0.4% SOL 145 +5.6%",
    "ACGT TTGACA TATAAT GGCATC AACGTT CCATGG",
    "Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6",
    "[Verse 1]\nWalking down the line again\nRain is falling on my skin\n[Chorus]\nOh oh oh, na na na",
    "Q: What is the capital of Burkina Faso?\nA: Ouagadougou.",
    "1. Ng'ang'a  2. Mbappé  3. Vlahović  4. Son Heung-min  5. Kvaratskhelia",
    "Ingredients: aqua, glycerin, cetearyl alcohol, parfum, limonene, linalool, citral, tocopherol.",
    "git commit -am 'fix typo' && git push origin main && make test",
    '<div class="row"><span>Total</span><b>42</b></div>',
    "Subject: RE: FW: mtg tmrw\nFrom: jd@corp.example\nTo: all-staff@corp.example\n\nfyi, moved to 3pm. thx jd",
    "colourless green ideas sleep furiously while borogoves outgrabe mimsily",
    "The kakapo, kea, takahe, weka and tui are birds of Aotearoa.",
]

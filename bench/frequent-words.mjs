/** Words that make up more than half of what people write, the most frequent first, roughly. */
export const FREQUENT_WORDS = `
the I to a and you it of is that in for my me on have be was with not this do but are can so what we if just at
like or your as about how would will they there know get some when from want one think more all need good also up
out time could which make an should then by has any them here really much well who too now see go help because use
work only their other than been were had very way people even does most thing things did where something into its
day our going still he she us why those first right these sure try please back thanks new take better same say put
find long look over each keep down give made every two never while him her his after before might always next last
bit lot own maybe able without working own kind less part show part start around again must let sounds feel idea
different question best great another few off through since being best point week set sense little may call tell
home year many such between come trying run end list name place write change got file code read having enough both
reason problem example yes left talk move three once check add until add open whole food live learn done old small
order actually ask plan already big away turn money book free high water line world house life family night today
start later days test hours weeks hard easy pay cost price room city car food school child mother father friend
person man woman team phone mail page text word words story music film game travel trip train flight hotel street
road store shop meal dinner lunch breakfast coffee tea bread rice meat fish fruit sugar salt milk egg butter cheese
morning evening month summer winter spring hour minute second tomorrow yesterday early late soon often sometimes
usually almost quite rather almost against during under above below near far inside outside across along behind
toward upon yet though although however instead else perhaps likely possible important simple clear full empty open
close short wide deep low heavy light dark bright warm cold hot dry wet clean safe quick slow strong weak rich poor
happy sad afraid ready busy quiet loud sick healthy real true wrong fair sharp smooth rough round flat straight main
white black red blue green yellow brown number amount size length weight speed level rate total average half quarter
percent rest group set type form state case fact side area land field garden tree flower grass animal dog cat bird
horse cow river lake sea ocean island mountain hill forest desert sky sun moon star wind rain snow ice fire earth
stone rock sand gold silver iron wood glass paper plastic cloth cotton leather oil gas coal power energy heat sound
voice song picture photo paint color shape body head face eye ear nose mouth tooth hair neck arm hand finger leg
foot knee back skin bone blood heart brain mind soul spirit dream hope fear love hate anger joy peace war fight win
lose play sport ball race goal score team coach player season league park field court beach pool gym exercise walk
jump climb swim ride drive fly sail carry hold push pull lift drop throw catch hit kick cut break fix build make
paint draw sing dance cook bake eat drink sleep wake rest sit stand lie fall rise grow shrink move stop wait stay
leave arrive return enter visit meet join share send receive bring buy sell spend save earn owe borrow lend cost
offer accept refuse agree decide choose prefer consider compare explain describe discuss mention suggest recommend
advise warn promise remember forget notice realize understand believe doubt guess suppose expect wish wonder study
teach train practice improve develop create design produce provide support serve protect prevent allow avoid include
contain require involve follow lead manage control handle cover treat reach pass miss happen appear seem become
remain continue begin finish complete repeat increase reduce remove replace update install connect reply answer
company business office job boss market product service customer client order account bank card bill tax loan
interest stock budget report meeting project task deadline schedule email message letter note document data system
computer program server network website password user account version error bug feature function value table column
row index key query model image video audio screen keyboard button window menu folder link
`
  .trim()
  .split(/\s+/)
